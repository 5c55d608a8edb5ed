package nodepool.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.osgi.framework.Bundle;

/** The names under which the components of a bundle offer drivers, read before anything of it runs. */
final class DriverNames {

    /** Service property of a driver. */
    static final String PROPERTY = "nodepool.driver";

    private static final XMLInputFactory XML = XMLInputFactory.newDefaultFactory();

    static {
        XML.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XML.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    }

    private DriverNames() {}

    /** @throws RefusedException if its description cannot be read */
    static Set<String> of(Bundle bundle) throws RefusedException {
        Set<String> names = new LinkedHashSet<>();
        String components = bundle.getHeaders("").get("Service-Component");
        for (String file : components == null ? new String[0] : components.split("\\s*,\\s*")) {
            int slash = file.lastIndexOf('/');
            var found = bundle.findEntries(file.substring(0, Math.max(slash, 0)), file.substring(slash + 1), false);
            for (URL description : found == null ? Collections.<URL>emptyList() : Collections.list(found)) {
                try (InputStream in = description.openStream()) {
                    read(in, names);
                } catch (IOException | XMLStreamException e) {
                    throw new RefusedException("its component " + description.getPath() + " cannot be read: " + e);
                }
            }
        }
        return names;
    }

    private static void read(InputStream description, Set<String> names) throws XMLStreamException {
        XMLStreamReader xml = XML.createXMLStreamReader(description);
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamConstants.START_ELEMENT
                    && xml.getLocalName().equals("property")
                    && PROPERTY.equals(xml.getAttributeValue(null, "name"))) {
                String value = xml.getAttributeValue(null, "value");
                names.add(value == null ? xml.getElementText().strip() : value);
            }
        }
    }
}
