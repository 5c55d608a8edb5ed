// What the server has told, kept up to date by its event stream. Nothing here polls.

const LARGEST_PAGE = 10_000;
const PAUSE = 1_500;

export class Store {
  nodes = new Map();
  requests = new Map();
  accounts = new Map();
  providers = [];
  drivers = [];
  components = [];
  builds = [];
  uploads = [];
  labels = [];
  configuration = { in_force: true, problems: [] };
  ready = { ready: true, reasons: [] };
  connected = false;
  filter = '';
  state = '';
  selected = null;
  changed = () => {};
  #small = null;

  follow() {
    const events = new EventSource('/api/v1/events');
    events.addEventListener('hello', () => { this.connected = true; this.#everything(); });
    events.addEventListener('resync', () => this.#everything());
    events.addEventListener('nodes', (event) => this.#apply(this.nodes, event));
    events.addEventListener('requests', (event) => this.#apply(this.requests, event));
    events.addEventListener('verdicts', (event) => this.#judged(JSON.parse(event.data).items));
    events.addEventListener('other', () => this.#soon());
    events.onerror = () => { this.connected = false; this.changed(); };
  }

  set(values) {
    Object.assign(this, values);
    this.changed();
  }

  #apply(records, event) {
    const { changed, removed } = JSON.parse(event.data);
    changed.forEach((record) => records.set(record.id, record));
    removed.forEach((id) => { records.delete(id); this.accounts.delete(id); });
    this.#soon();
    this.changed();
  }

  #judged(items) {
    for (const item of items) {
      const known = this.accounts.get(item.request) ?? [];
      const others = known.filter((one) => one.provider !== item.provider || one.pool !== item.pool);
      this.accounts.set(item.request, [...others, item]);
    }
    this.changed();
  }

  /** What is small is read anew, some time after the last change. */
  #soon() {
    this.#small ??= setTimeout(() => { this.#small = null; this.#rest(); }, PAUSE);
  }

  async #everything() {
    const [nodes, requests] = await Promise.all([this.#all('nodes'), this.#all('requests')]);
    this.nodes = new Map(nodes.map((one) => [one.id, one]));
    this.requests = new Map(requests.map((one) => [one.id, one]));
    this.accounts.clear();
    this.changed();
    await this.#rest();
  }

  async #rest() {
    const words = ['providers', 'drivers', 'components', 'builds', 'uploads', 'labels'];
    const lists = await Promise.all(words.map((word) => this.#all(word)));
    words.forEach((word, index) => { this[word] = lists[index]; });
    this.configuration = (await this.#get('/api/v1/configuration')) ?? this.configuration;
    this.ready = (await this.#get('/ready')) ?? this.ready;
    this.changed();
  }

  async #all(word) {
    const items = [];
    for (;;) {
      const paged = ['providers', 'drivers'].includes(word) ? '' : `?limit=${LARGEST_PAGE}&offset=${items.length}`;
      const page = await this.#get(`/api/v1/${word}${paged}`);
      items.push(...(page?.items ?? []));
      if (!page?.items?.length || items.length >= page.total) {
        return items;
      }
    }
  }

  async #get(path) {
    try {
      const answer = await fetch(path, { headers: { Accept: 'application/json' } });
      return answer.ok || path === '/ready' ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  /** Why a request waits, and what was done for it; asked for once, then told by the stream. */
  async explain(id, anew = false) {
    if (anew || !this.accounts.has(id)) {
      this.accounts.set(id, this.accounts.get(id) ?? []);
      const page = await this.#get(`/api/v1/requests/${encodeURIComponent(id)}/accounts`);
      if (page) {
        this.accounts.set(id, page.items);
        this.changed();
      }
    }
  }
}
