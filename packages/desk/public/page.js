// The page: a welcome before sign-in; then the bar, the search, the table, and what opens over it.
import { html, nothing } from './lit/lit-html.js'
import { live } from './lit/directives/live.js'
import { columns, fieldOf } from './list/columns.js'
import { awayView } from './parts/connection.js'
import { developerView } from './developer/developer.js'
import { dialogView } from './parts/dialog.js'
import { draftsButton } from './panel/drafts-view.js'
import { exportAll } from './files/export.js'
import { chooseFile } from './files/import.js'
import { jobView } from './parts/job.js'
import { openHelp } from './parts/keyboard.js'
import { search, sortBy } from './list/list.js'
import { menuView, openMenu } from './parts/menu.js'
import { messageView, warningView } from './parts/messages.js'
import { openNew } from './panel/panel.js'
import { panelView } from './panel/panel-view.js'
import { count, customersOf, icon } from './parts/parts.js'
import { enter, signOut } from './session.js'
import { choose, may, state } from './state.js'
import { selectionView } from './list/selection-view.js'
import { selectedTotal } from './list/selection.js'
import { ageButton, tableView } from './list/table.js'

/** The logo or the name of the operator: the server renders it once. */
const brand = document.querySelector('.brand')

/** Narrow pages have no column headings to sort by; see desk.css. */
const onPhone = matchMedia('(max-width: 40rem)')

/** The table's headings stick below the bar, which can have several lines. */
const barSize = new ResizeObserver(([{ target }]) =>
  document.documentElement.style.setProperty('--bar-height', `${target.offsetHeight}px`))

/** Follows the height of the bar, if it is shown. */
export function watchBar () {
  const bar = document.querySelector('.bar')
  if (bar) barSize.observe(bar)
}

/** Renders the whole page. */
export function pageView () {
  const { session, list, config } = state
  if (!config) return html`<div class="bottom">${messageView()}</div>`
  const isSignedIn = session && list
  return html`
    ${isSignedIn ? desk() : welcome()}
    <div class="bottom">${jobView()}${messageView()}${developerView()}</div>
    ${isSignedIn ? nothing : footer()}
    ${panelView()}
    ${dialogView()}`
}

function welcome () {
  const { config: { issuer }, settings: { developer } } = state
  return html`<main class="welcome"><section aria-labelledby="welcome-title">
    ${brand}
    <h1 id="welcome-title">Customer desk</h1>
    <p>You'll sign in at <b>${new URL(issuer).host}</b>. This app never sees your password.</p>
    <button class="primary" id="sign-in" type="button" @click=${enter}>Sign in</button>
    ${developer ? grants() : nothing}
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(developer)}
      @change=${({ target }) => choose({ developer: target.checked })}>Developer view</label>
  </section></main>`
}

function footer () {
  const { issuer, customerUrl, brand: { links } } = state.config
  return html`<footer>Sign-in: ${new URL(issuer).host} (<a href="${issuer}/account">Your account</a>).
    Customers: ${new URL(customerUrl).host}.
    ${links.map(({ text, href }) => html`<a href="${href}">${text}</a> `)}</footer>`
}

function grants () {
  const { config, settings: { grant, popup } } = state
  const way = (value, label) => html`<label><input type="radio" name="grant" .checked=${grant === value}
    @change=${() => choose({ grant: value })}>${label}</label>`
  return html`<fieldset><legend>Grant</legend>
    ${way('code', 'Authorization code with PKCE')}
    ${way('implicit', 'Implicit, for older apps')}
    <label><input type="checkbox" .checked=${popup} @change=${({ target }) => choose({ popup: target.checked })}>In a popup</label>
    ${grant === 'code'
      ? nothing
      : html`<p class="small">The token arrives in this page's address. This app doesn't learn your name, and a reload or
        a second tab needs a new sign-in. "Sign out" revokes only this app's access: <a href="${config.issuer}/sign-out">sign out of the authorization server</a>, too.</p>`}
  </fieldset>`
}

function desk () {
  const { session: { name }, list: { error } } = state
  return html`
    <header class="top">
      ${brand}
      <h1>Customers</h1>
      <button class="quiet" id="person" type="button" aria-haspopup="menu" @click=${openMenu(personMenu)}>
        <span id="greeting">${name ?? 'Signed in'}</span>${icon('chevron')}</button>
    </header>
    <main>
      <div class="bar">
        ${warningView()}
        ${error ? nothing : awayView()}
        ${error === 'forbidden' ? nothing : selectedTotal().count > 0 ? selectionView() : toolbar()}
      </div>
      ${tableView()}
      <div id="end"></div>
      ${menuView()}
    </main>`
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
    ${draftsButton()}
    ${may('write') ? html`<button class="primary" id="new" type="button" aria-keyshortcuts="n" @click=${openNew}>${icon('plus')}<span class="label">New customer</span></button>` : nothing}
    <button class="icon" id="files" type="button" aria-haspopup="menu" aria-label="Import and export"
      @click=${openMenu(filesMenu)}>${icon('more')}</button>
  </div>`
}

/** The number of customers. */
function found () {
  const { total, items, next, loaded, busy, error, wrong } = state.list
  if (error || wrong) return ''
  if (!loaded) return 'Loading…'
  if (busy && items.length === 0) return 'Searching…'
  if (!total || (items.length === 0 && next)) return items.length === 0 && !next ? '' : `${items.length} so far`
  return total.more ? `${count(total.count)}+ customers` : customersOf(total.count)
}

function filesMenu () {
  const sorts = onPhone.matches ? columns : []
  return [
    may('write') && { label: 'Import a file…', run: chooseFile },
    { label: 'Export all as CSV', run: () => exportAll() },
    ...sorts.map(({ label, by = label.toLowerCase(), sort }) => ({
      label: `Sort by ${by}${state.list.sort === `-${fieldOf(sort)}` ? ', descending' : ''}`,
      checked: fieldOf(state.list.sort) === fieldOf(sort),
      run: () => sortBy(sort)
    }))
  ]
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
