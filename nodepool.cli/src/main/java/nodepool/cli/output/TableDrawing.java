package nodepool.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table drawn with plus, minus and bar, every cell left aligned. */
final class TableDrawing {

    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();

    TableDrawing(List<String> header) {
        this.header = List.copyOf(header);
    }

    void row(List<String> cells) {
        rows.add(cells.stream().map(CellText::printable).toList());
    }

    void print(boolean withHeader, PrintWriter out) {
        int[] width = new int[header.size()];
        for (int i = 0; i < width.length; i++) {
            width[i] = withHeader ? header.get(i).length() : 0;
            for (List<String> row : rows) {
                width[i] = Math.max(width[i], row.get(i).length());
            }
        }
        String rule = rule(width);
        out.println(rule);
        if (withHeader) {
            out.println(line(header, width));
            out.println(rule);
        }
        rows.forEach(row -> out.println(line(row, width)));
        out.println(rule);
    }

    private static String rule(int[] width) {
        StringBuilder rule = new StringBuilder("+");
        for (int one : width) {
            rule.append("-".repeat(one + 2)).append('+');
        }
        return rule.toString();
    }

    private static String line(List<String> cells, int[] width) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < width.length; i++) {
            line.append(' ')
                    .append(cells.get(i))
                    .append(" ".repeat(width[i] - cells.get(i).length()))
                    .append(" |");
        }
        return line.toString();
    }
}
