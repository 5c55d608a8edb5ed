// What is drawn of the store. Every text goes through Preact, which never reads it as HTML.
import { Component, h } from '/lib/preact.mjs';
import htm from '/lib/htm.mjs';
import { timeline } from '/timeline.js';

export const html = htm.bind(h);

const STATES = ['ready', 'in-use', 'building', 'testing', 'init', 'hold', 'used', 'deleting', 'failed', 'aborted'];
const SHOWN_REQUESTS = 40;

/** A span of time as people say it. */
export function age(seconds) {
  if (seconds == null) {
    return '';
  }
  const s = Math.max(0, Math.round(Date.now() / 1000 - seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 172_800) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86_400)} d`;
}

const state = (word) => html`<span class="state ${word}">${word}</span>`;
const list = (value) => [value ?? []].flat().join(', ');

export function page({ store }) {
  return html`
    <a class="skip" href="#requests">Skip to the requests</a>
    <header>
      <h1><img src="/icon.svg" alt="" /> Nodepool</h1>
      <nav aria-label="Sections">
        ${['pools', 'requests', 'nodes', 'images', 'drivers'].map((one) => html`<a href="#${one}">${one}</a>`)}
      </nav>
      <span class="link ${store.connected ? '' : 'lost'}" role="status">
        <b>●</b> ${store.connected ? 'live' : 'connection lost, trying again'}
      </span>
    </header>
    <main>
      <${problems} store=${store} />
      <${counts} store=${store} />
      <${pools} store=${store} />
      <${requests} store=${store} />
      <${Nodes} store=${store} />
      <${images} store=${store} />
      <${drivers} store=${store} />
    </main>
    ${store.selected && html`<${Details} key=${store.selected} store=${store} />`}`;
}

function problems({ store }) {
  const found = store.configuration.problems;
  if (store.ready.ready && !found.length) {
    return null;
  }
  return html`<section id="problems">
    <h2>Problems</h2>
    ${store.ready.reasons.map((reason) => html`<p class="problem">${reason}</p>`)}
    ${found.map((one) => html`<p class="problem ${one.severity === 'error' ? '' : 'warning'}">
      <b>${one.severity}</b> ${one.file}:${one.line} ${one.path} — ${one.message}</p>`)}
  </section>`;
}

function counts({ store }) {
  const number = new Map(STATES.map((word) => [word, 0]));
  store.nodes.forEach((node) => number.set(node.state, (number.get(node.state) ?? 0) + 1));
  const seen = [...number].filter(([word, n]) => n > 0 || word === 'ready' || word === 'in-use');
  return html`<section id="counts" class="third">
    <h2>Nodes by state <small>${store.nodes.size} in all</small></h2>
    <div class="counts">
      ${seen.map(([word, n]) => html`<button type="button" aria-pressed=${store.state === word}
        onClick=${() => store.set({ state: store.state === word ? '' : word })}>
        <b>${n}</b>${state(word)}</button>`)}
    </div>
  </section>`;
}

function pools({ store }) {
  return html`<section id="pools" class="two">
    <h2>Pools <small>of this launcher</small></h2>
    ${store.providers.length === 0 ? html`<p class="empty">No provider has been configured, or none has started.</p>` : html`
    <div class="wide"><table>
      <thead><tr><th>Pool</th><th>In use</th><th></th><th>Room</th><th>Labels</th></tr></thead>
      <tbody>${store.providers.flatMap((provider) => provider.pools.map((pool) => {
        const used = pool.used.instances ?? 0;
        const limit = pool.limits.instances;
        const free = Object.entries(pool.room).map(([name, n]) => `${n} ${name}`).join(', ');
        return html`<tr>
          <td><b>${provider.name}</b> ${pool.name}${provider.trouble && html`<br /><span class="state failed">${provider.trouble.detail}</span>`}</td>
          <td class="tight">${used}${limit == null ? '' : ` of ${limit}`} <span class="quiet">nodes</span></td>
          <td>${limit > 0 && html`<meter min="0" max=${limit} value=${used} aria-label="use of ${provider.name} ${pool.name}"></meter>`}</td>
          <td>${free ? `${free} free` : 'not limited'}</td>
          <td>${list(pool.labels)}</td></tr>`;
      }))}</tbody>
    </table></div>`}
  </section>`;
}

function why(store, request) {
  if (request.state === 'fulfilled') {
    return list(request.nodes);
  }
  const accounts = store.accounts.get(request.id) ?? [];
  const reasons = accounts.filter((one) => one.verdict.reason);
  const taken = accounts.filter((one) => one.verdict.answer === 'accept');
  if (taken.length > 0) {
    return `taken by ${taken.map((one) => `${one.provider} ${one.pool}`).join(', ')}; its nodes are being made`;
  }
  if (reasons.length === 0) {
    return request.state === 'pending' ? 'its nodes are being made' : 'no pool has answered yet';
  }
  return html`<ul class="why">${reasons.map((one) => html`<li>
    <b>${one.provider} ${one.pool}</b> ${one.verdict.answer === 'decline' ? 'declines' : 'waits'}: ${one.verdict.reason.detail}
    <span class="quiet"> (${one.verdict.reason.remedy})</span></li>`)}</ul>`;
}

function requests({ store }) {
  const all = [...store.requests.values()];
  const shown = all.slice(0, SHOWN_REQUESTS);
  shown.filter((one) => one.state !== 'fulfilled').forEach((one) => store.explain(one.id));
  return html`<section id="requests">
    <h2>Requests <small>${all.length} open${all.length > shown.length ? `, the first ${shown.length} shown` : ''}</small></h2>
    ${all.length === 0 ? html`<p class="empty">Nobody asks for anything.</p>` : html`
    <div class="wide"><table>
      <thead><tr><th>Request</th><th>State</th><th>Age</th><th>Labels</th><th>Requestor</th><th>Why it waits</th></tr></thead>
      <tbody>${shown.map((one) => html`<tr key=${one.id}>
        <td><button type="button" class="plain" onClick=${() => store.set({ selected: one.id })}>${one.id}</button></td>
        <td>${state(one.state)}</td><td class="tight">${age(one.state_time)}</td><td>${list(one.node_types)}</td>
        <td>${one.requestor}</td><td>${why(store, one)}</td></tr>`)}</tbody>
    </table></div>`}
  </section>`;
}

/** A list of any length: only the rows in sight, and some around them, are in the page. */
class Nodes extends Component {
  state = { top: 0 };

  chosen() {
    const { store } = this.props;
    const words = store.filter.toLowerCase().split(/\s+/).filter(Boolean);
    return [...store.nodes.values()].filter((node) => {
      if (store.state && node.state !== store.state) return false;
      const text = words.length === 0 ? '' : [node.id, node.state, node.provider, node.pool, list(node.label), node.hostname,
        node.public_ipv4, node.allocated_to, node.comment].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  render() {
    const { store } = this.props;
    const rows = this.chosen();
    const height = 2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const first = Math.max(0, Math.floor(this.state.top / height) - 10);
    const seen = rows.slice(first, first + 40);
    return html`<section id="nodes">
      <h2>Nodes <small>${rows.length} of ${store.nodes.size}</small></h2>
      <div class="tools">
        <input id="filter" type="search" placeholder="filter: id, label, provider, address, comment … ( / )" aria-label="Filter nodes"
          value=${store.filter} onInput=${(event) => store.set({ filter: event.target.value })} />
      </div>
      <div class="rows" tabindex="0" role="table" aria-label="Nodes" aria-rowcount=${rows.length + 1}
        onScroll=${(event) => this.setState({ top: event.target.scrollTop })}>
        <div class="row head" role="row">${['ID', 'State', 'Age', 'Provider, pool', 'Labels', 'Address', 'For'].map((one) =>
          html`<span role="columnheader">${one}</span>`)}</div>
        <div style=${{ height: `${first * height}px` }}></div>
        ${seen.map((node, index) => html`<div class="row" role="row" key=${node.id} aria-rowindex=${first + index + 2}>
          <span role="cell">${node.id}</span><span role="cell">${state(node.state)}</span><span role="cell">${age(node.state_time)}</span>
          <span role="cell">${node.provider} ${node.pool}</span><span role="cell">${list(node.label)}</span>
          <span role="cell">${node.public_ipv4 ?? node.ipv6 ?? node.private_ipv4 ?? ''}</span>
          <span role="cell" title=${node.comment ?? ''}>${[node.allocated_to, node.hold_job, node.comment].filter(Boolean).join(' · ')}</span></div>`)}
        <div style=${{ height: `${Math.max(0, rows.length - first - seen.length) * height}px` }}></div>
      </div>
    </section>`;
  }
}

function images({ store }) {
  const uploads = Map.groupBy ? Map.groupBy(store.uploads, (one) => one.id) : new Map();
  return html`<section id="images" class="half">
    <h2>Images <small>${store.builds.length} builds, ${store.uploads.length} uploads</small></h2>
    ${store.builds.length === 0 ? html`<p class="empty">No image has been built.</p>` : html`
    <div class="wide"><table>
      <thead><tr><th>Image</th><th>Build</th><th>Age</th><th>Uploads</th></tr></thead>
      <tbody>${store.builds.map((one) => html`<tr key=${one.id}><td>${one.image}</td><td>${state(one.state)}</td><td>${age(one.state_time)}</td>
        <td>${(uploads.get(one.id.slice(one.image.length + 1)) ?? []).map((upload) =>
          html`<div>${upload.provider} ${state(upload.state)} <span class="quiet">${age(upload.state_time)}</span></div>`)}</td></tr>`)}</tbody>
    </table></div>`}
  </section>`;
}

function drivers({ store }) {
  return html`<section id="drivers" class="half">
    <h2>Drivers and components</h2>
    <div class="wide"><table>
      <thead><tr><th>Driver</th><th>State</th><th>Providers</th></tr></thead>
      <tbody>${store.drivers.map((one) => html`<tr key=${one.name}><td>${one.name}</td>
        <td>${one.present ? state('ready') : html`<span class="state failed">absent</span>`}</td><td>${list(one.providers)}</td></tr>`)}</tbody>
      <thead><tr><th>Component</th><th>State</th><th>Pool</th></tr></thead>
      <tbody>${store.components.map((one) => html`<tr><td>${one.kind} <span class="quiet">${one.hostname}</span></td>
        <td>${one.state}${one.paused ? html` ${state('paused')}` : ''}</td><td>${[one.provider_name, one.name].filter(Boolean).join(' ')}</td></tr>`)}</tbody>
    </table></div>
  </section>`;
}

/** Everything about one request. */
class Details extends Component {
  componentDidMount() {
    this.dialog.showModal();
    this.props.store.explain(this.props.store.selected, true);
  }

  render() {
    const { store } = this.props;
    const id = store.selected;
    const accounts = store.accounts.get(id) ?? [];
    const request = store.requests.get(id);
    const close = () => store.set({ selected: null });
    return html`<dialog ref=${(dialog) => { this.dialog = dialog; }} onClose=${close} aria-label="Request ${id}">
      <header><h1>Request ${id} ${request && state(request.state)}</h1>
        <button type="button" class="plain link" onClick=${close}>close</button></header>
      ${request && html`<p>${list(request.node_types)} for ${request.requestor}, in this state for ${age(request.state_time)}</p>`}
      ${accounts.length === 0 && html`<p class="empty">No pool has written an account of it yet.</p>`}
      ${accounts.map((one) => html`<h2>${one.provider} ${one.pool} <small>${one.verdict.answer}</small></h2>
        ${one.verdict.reason && html`<p class="problem warning">${one.verdict.reason.detail}. ${one.verdict.reason.remedy}.</p>`}
        ${one.timeline?.length > 0 && timeline(html, one.timeline)}
        ${(one.timeline ?? []).filter((moment) => moment.console).map((moment) => html`<pre>${moment.console}</pre>`)}`)}
    </dialog>`;
  }
}
