// The dashboard: what it shows is in the store, the store follows the event stream, and the views only draw the store.
import { render } from '/lib/preact.mjs';
import { Store } from '/store.js';
import { html, page } from '/views.js';

const store = new Store();
const root = document.getElementById('app');
let drawing = false;

function draw() {
  if (!drawing) {
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      render(html`<${page} store=${store} />`, root);
    });
  }
}

store.changed = draw;
store.follow();
setInterval(draw, 10_000); // ages
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    document.getElementById('filter')?.focus();
  }
});
draw();
