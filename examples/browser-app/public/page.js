// The page: before sign-in a button; then a bar, the search, the table, and what opens over it.
import { html, nothing } from './lit/lit-html.js'
import { live } from './lit/directives/live.js'
import { exportAll, exportCsv, removeAll } from './actions.js'
import { questionView } from './ask.js'
import { staleView, warningView } from './banners.js'
import { developerView, grantsView } from './developer.js'
import * as drafts from './drafts.js'
import { icon } from './icons.js'
import { chooseFile, importView } from './import.js'
import { shortcuts } from './keyboard.js'
import { search } from './list.js'
import { openMenu } from './menu.js'
import { messageView } from './messages.js'
import { customersOf } from './numbers.js'
import { openNew } from './panel.js'
import { panelView } from './panel-view.js'
import { enter, signOut } from './session.js'
import { choose, may, state, update } from './state.js'
import { tableView } from './table.js'

/** All of it. */
export function pageView () {
  const { session, list, config } = state
  if (!config) return messageView()
  return html`
    ${session && list ? desk() : welcome()}
    ${developerView()}
    ${session ? nothing : html`<footer>Sign-in: ${new URL(config.issuer).host} (<a href="${config.issuer}/account">Your account</a>). Customers: ${new URL(config.customerUrl).host}.</footer>`}
    ${messageView()}
    ${panelView()}
    ${questionView()}
    ${importView()}
    ${helpView()}`
}

function welcome () {
  return html`<main class="welcome"><section aria-labelledby="welcome-title">
    <img src="/icon.svg" alt="" width="40" height="40">
    <h1 id="welcome-title">Customer register</h1>
    <p>You enter your password only at <b>${new URL(state.config.issuer).host}</b>. This app learns your name and gets access that expires soon.</p>
    <button class="primary" id="sign-in" type="button" @click=${() => enter()}>Sign in</button>
    ${grantsView()}
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(state.settings.developer)} @change=${({ target }) => choose({ developer: target.checked })}>Developer view</label>
  </section></main>`
}

function desk () {
  const { name } = state.session
  return html`
    <header class="top">
      <img src="/icon.svg" alt="" width="24" height="24">
      <h1>Customers</h1>
      <button class="quiet" id="person" type="button" aria-haspopup="menu" @click=${({ currentTarget }) => openMenu(currentTarget, personMenu())}>
        <span id="greeting">${name ?? 'Signed in'}</span>${icon('chevron')}</button>
    </header>
    <main>
      ${warningView()}
      ${staleView()}
      ${state.selected.size > 0 ? selection() : toolbar()}
      ${tableView()}
      <div id="end"></div>
    </main>`
}

function toolbar () {
  const { q, wrong, error } = state.list
  return html`<div class="toolbar">
    <form role="search" @submit=${event => { event.preventDefault(); search(q) }}>
      ${icon('search')}
      <input id="search" type="search" aria-label="Search customers" placeholder="Name, address or number" autocomplete="off" aria-keyshortcuts="/"
        aria-invalid=${wrong ? 'true' : nothing} aria-describedby=${wrong ? 'search-note' : nothing}
        .value=${live(q)} @input=${({ target }) => search(target.value)}>
      <kbd aria-hidden="true">/</kbd>
    </form>
    <p id="found" role="status">${count()}</p>
    ${may('write') && error !== 'forbidden'
      ? html`<button class="primary" id="new" type="button" aria-keyshortcuts="n" @click=${openNew}>${icon('plus')}New customer${drafts.draftOf('new') ? html`<span class="chip">Draft</span>` : nothing}</button>`
      : nothing}
    ${error === 'forbidden' ? nothing : filesButton()}
    ${wrong ? html`<p class="note" id="search-note">${wrong}</p>` : nothing}
  </div>`
}

function count () {
  const { total, items, next, loaded, busy, error, wrong } = state.list
  if (error || wrong) return ''
  if (!loaded) return 'Loading…'
  if (busy && items.length === 0) return 'Searching…'
  if (!total || (items.length === 0 && next)) return items.length === 0 && !next ? '' : `${items.length} so far`
  return total.more ? `More than ${customersOf(total.count)}` : customersOf(total.count)
}

function selection () {
  const chosen = state.list.items.filter(({ customerid }) => state.selected.has(customerid))
  return html`<div class="toolbar selection" role="group" aria-label="Selected customers">
    <p role="status">${chosen.length} selected</p>
    <button type="button" @click=${() => exportCsv(chosen)}>Export as CSV</button>
    ${may('delete') ? html`<button class="danger" type="button" @click=${() => removeAll(chosen)}>Remove…</button>` : nothing}
    <button class="quiet" type="button" @click=${() => update({ selected: new Set() })}>Clear</button>
  </div>`
}

function filesButton () {
  const items = [
    ...(may('write') ? [{ label: 'Import a file…', run: chooseFile }] : []),
    { label: 'Export all as CSV', run: exportAll }
  ]
  return html`<button class="icon" id="files" type="button" aria-haspopup="menu" aria-label="Import and export"
    @click=${({ currentTarget }) => openMenu(currentTarget, items)}>${icon('more')}</button>`
}

function personMenu () {
  const { settings, config, session } = state
  return [
    ...(session.name ? [{ text: `Signed in as ${session.name}` }] : []),
    { label: 'Your account', run: () => open(`${config.issuer}/account`, '_blank', 'noopener') },
    { label: 'Keyboard', run: () => update({ help: true }) },
    { label: 'Developer view', checked: settings.developer, run: () => choose({ developer: !settings.developer }) },
    { label: 'Sign out', run: signOut }
  ]
}

function helpView () {
  if (!state.help) return nothing
  const close = async () => {
    await update({ help: false })
    document.getElementById('person')?.focus()
  }
  return html`<dialog class="question" aria-labelledby="help-title" @cancel=${close} @close=${close}>
    <h2 id="help-title">Keyboard</h2>
    <dl class="keys">${shortcuts.map(([keys, what]) => html`<div><dt>${keys.split(' ').map(key => html`<kbd>${key}</kbd>`)}</dt><dd>${what}</dd></div>`)}</dl>
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(state.settings.shortcuts)} @change=${({ target }) => choose({ shortcuts: target.checked })}>Single keys</label>
    <div class="buttons"><button type="button" autofocus @click=${close}>Close</button></div>
  </dialog>`
}
