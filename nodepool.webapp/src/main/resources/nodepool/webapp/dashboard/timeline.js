// A request's moments as a picture: one lane for the request, one for each of its nodes, time from left to right.

const WIDTH = 900;
const LEFT = 110;
const LANE = 44;
const BAD = new Set(['launch-failed', 'declined', 'disappeared', 'node-withdrawn']);
const GOOD = new Set(['fulfilled', 'node-ready', 'node-reused']);

function span(milliseconds) {
  const s = milliseconds / 1000;
  if (s < 1) return `${Math.round(milliseconds)} ms`;
  if (s < 120) return `${s.toFixed(s < 10 ? 1 : 0)} s`;
  return s < 7200 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3600)} h`;
}

export function timeline(html, moments) {
  const times = moments.map((one) => Date.parse(one.at));
  const start = Math.min(...times);
  const length = Math.max(1, Math.max(...times) - start);
  const lanes = [...new Set(moments.map((one) => one.node ?? 'request'))];
  const height = lanes.length * LANE + 24;
  const x = (time) => LEFT + ((time - start) / length) * (WIDTH - LEFT - 110);
  const words = moments.map((one) => `${one.what} after ${span(Date.parse(one.at) - start)}`).join(', ');
  return html`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label=${words}>
    ${lanes.map((lane, row) => {
      const own = moments.filter((one) => (one.node ?? 'request') === lane);
      const y = row * LANE + 18;
      const from = x(Date.parse(own[0].at));
      const to = x(Date.parse(own[own.length - 1].at));
      let edge = -100;
      let level = 0;
      return html`<g>
        <text x="0" y=${y + 4}>${lane}</text>
        <line x1=${LEFT} x2=${WIDTH - 100} y1=${y} y2=${y} />
        <rect x=${from} y=${y - 4} width=${Math.max(1, to - from)} height="8" />
        ${own.map((one) => {
          const at = x(Date.parse(one.at));
          level = at < edge ? (level + 1) % 2 : 0;
          edge = at + one.what.length * 7;
          const kind = BAD.has(one.what) ? 'bad' : GOOD.has(one.what) ? 'good' : '';
          return html`<g><circle class=${kind} cx=${at} cy=${y} r="5"><title>${one.at} ${one.detail}</title></circle>
            <text class="quiet" x=${at + 3} y=${level ? y + 24 : y - 8}>${one.what}</text></g>`;
        })}
      </g>`;
    })}
    <text class="quiet" x=${LEFT} y=${height - 2}>0</text>
    <text class="quiet" x=${WIDTH - 110} y=${height - 2} text-anchor="end">${span(length)}</text>
  </svg>`;
}
