// The page: before sign-in welcome.js; then a bar, the search, the table, and what opens over it.
import { html, nothing } from './lit/lit-html.js'
import { live } from './lit/directives/live.js'
import { removeAll } from './actions.js'
import { staleView, warningView } from './banners.js'
import { developerView } from './developer.js'
import { dialogView } from './dialog.js'
import { newId } from './drafts.js'
import { exportAll, exportCsv } from './export.js'
import { icon } from './icons.js'
import { chooseFile } from './import.js'
import { openHelp } from './keyboard.js'
import { search, sortBy } from './list.js'
import { menuView, openMenu } from './menu.js'
import { messageView } from './messages.js'
import { openNew } from './panel.js'
import { panelView } from './panel-view.js'
import { signOut } from './session.js'
import { choose, may, state } from './state.js'
import { ageButton, clearSelection, columns, draftChip, tableView } from './table.js'
import { welcomeView } from './welcome.js'
import { count, customersOf } from './words.js'

/** A narrow page has no headings to sort by, see desk.css. */
const onPhone = matchMedia('(max-width: 40rem)')

/** All of it. */
export function pageView () {
  const { session, list, config } = state
  if (!config) return messageView()
  return html`
    ${session && list ? desk() : welcomeView()}
    ${developerView()}
    ${messageView()}
    ${panelView()}
    ${dialogView()}`
}

function desk () {
  const { session: { name }, selected, list: { error } } = state
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
      ${error === 'forbidden' ? nothing : selected.size > 0 ? selection() : toolbar()}
      ${tableView()}
      <div id="end"></div>
    </main>
    ${menuView()}`
}

function toolbar () {
  const { text, wrong, items } = state.list
  return html`<div class="toolbar">
    <form role="search" @submit=${event => { event.preventDefault(); search(text) }}>
      ${icon('search')}
      <input id="search" type="search" aria-label="Search customers" placeholder="Name, address, number, age" autocomplete="off" aria-keyshortcuts="/"
        aria-invalid=${wrong ? 'true' : nothing} aria-describedby=${wrong ? 'search-note' : nothing}
        .value=${live(text)} @input=${({ target }) => search(target.value)}>
      <kbd aria-hidden="true">/</kbd>
    </form>
    ${wrong ? html`<p class="note" id="search-note">${wrong}</p>` : nothing}
    ${items.length > 0 ? ageButton('link') : nothing}
    <p id="found" role="status">${found()}</p>
    ${may('write') ? html`<button class="primary" id="new" type="button" aria-keyshortcuts="n" @click=${openNew}>${icon('plus')}New customer ${draftChip(newId())}</button>` : nothing}
    <button class="icon" id="files" type="button" aria-haspopup="menu" aria-label="Import and export"
      @click=${({ currentTarget }) => openMenu(currentTarget, filesMenu())}>${icon('more')}</button>
  </div>`
}

/** How many customers there are. */
function found () {
  const { total, items, next, loaded, busy, error, wrong } = state.list
  if (error || wrong) return ''
  if (!loaded) return 'Loading…'
  if (busy && items.length === 0) return 'Searching…'
  if (!total || (items.length === 0 && next)) return items.length === 0 && !next ? '' : `${items.length} so far`
  return total.more ? `${count(total.count)}+ customers` : customersOf(total.count)
}

function selection () {
  const chosen = state.list.items.filter(({ customerid }) => state.selected.has(customerid))
  return html`<div class="toolbar selection" role="group" aria-label="Selected customers">
    <p role="status">${chosen.length} selected</p>
    <button class="quiet" type="button" @click=${clearSelection}>Clear</button>
    <button type="button" @click=${() => exportCsv(chosen)}>Export as CSV</button>
    ${may('delete') ? html`<button class="danger" type="button" @click=${() => removeAll(chosen)}>Remove…</button>` : nothing}
  </div>`
}

function filesMenu () {
  const sorts = columns.filter(() => onPhone.matches).map(({ label, by = label.toLowerCase(), sort }) =>
    ({ label: `Sort by ${by}`, checked: state.list.sort.endsWith(sort), run: () => sortBy(sort) }))
  return [may('write') && { label: 'Import a file…', run: chooseFile }, { label: 'Export all as CSV', run: exportAll }, ...sorts]
}

function personMenu () {
  const { settings: { developer }, config: { issuer }, session: { name } } = state
  return [
    name && { text: `Signed in as ${name}` },
    { label: 'Your account', run: () => open(`${issuer}/account`, '_blank', 'noopener') },
    { label: 'Help', run: openHelp },
    { label: 'Developer view', checked: developer, run: () => choose({ developer: !developer }) },
    { label: 'Sign out', run: signOut }
  ]
}
