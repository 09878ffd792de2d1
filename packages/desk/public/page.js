// The page: a welcome before sign-in; then the bar, the search, the table, and what opens over it.
import { chooseLanguage, known, language, rich, t } from './language.js'
import { html, nothing } from './lit/lit-html.js'
import { live } from './lit/directives/live.js'
import { columns, fieldOf } from './list/columns.js'
import { awayView } from './parts/connection.js'
import { developerView } from './developer/developer.js'
import { dialogView } from './parts/dialog.js'
import { draftsButton } from './panel/drafts-view.js'
import { exportAll } from './files/export.js'
import { jobView } from './parts/job.js'
import { openHelp } from './parts/keyboard.js'
import { search, sortBy } from './list/list.js'
import { menuView, openMenu } from './parts/menu.js'
import { messageView, warningView } from './parts/messages.js'
import { openNew } from './panel/panel.js'
import { panelView } from './panel/panel-view.js'
import { onDemand } from './parts/on-demand.js'
import { icon } from './parts/parts.js'
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
  document.documentElement.style.setProperty('--bar-height', `${/** @type {HTMLElement} */ (target).offsetHeight}px`))

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
    <h1 id="welcome-title">${t('desk.title')}</h1>
    <p>${rich('welcome.text', { host: html`<b>${new URL(issuer).host}</b>` })}</p>
    <button class="primary" id="sign-in" type="button" @click=${enter}>${t('signIn')}</button>
    ${developer ? grants() : nothing}
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(developer)}
      @change=${({ target }) => choose({ developer: target.checked })}>${t('welcome.developerView')}</label>
  </section></main>`
}

function footer () {
  const { issuer, customerUrl, brand: { links }, languages } = state.config
  return html`<footer>
    <p>${rich('footer.signIn', { host: new URL(issuer).host, account: words => html`<a href="${issuer}/account">${words}</a>` })}
      ${rich('footer.customers', { host: new URL(customerUrl).host })}
      ${links.map(({ text, href }) => html`<a href="${href}">${known(`footer.${text}`, text)}</a> `)}</p>
    <p role="group" aria-label=${t('welcome.language')}>${Object.entries(languages).map(([tag, name]) => html`<button type="button" class="link"
      lang=${tag} aria-current=${tag === language ? 'true' : nothing} @click=${() => chooseLanguage(tag)}>${name}</button> `)}</p>
  </footer>`
}

function grants () {
  const { config, settings: { grant, popup } } = state
  const way = (value, label) => html`<label><input type="radio" name="grant" .checked=${grant === value}
    @change=${() => choose({ grant: value })}>${label}</label>`
  return html`<fieldset><legend>${t('grant.title')}</legend>
    ${way('code', t('grant.code'))}
    ${way('implicit', t('grant.implicit'))}
    <label><input type="checkbox" .checked=${popup} @change=${({ target }) => choose({ popup: target.checked })}>${t('grant.popup')}</label>
    ${grant === 'code'
      ? nothing
      : html`<p class="small">${rich('grant.caution', { link: words => html`<a href="${config.issuer}/sign-out">${words}</a>` })}</p>`}
  </fieldset>`
}

function desk () {
  const { session: { name }, list: { error } } = state
  return html`
    <header class="top">
      ${brand}
      <h1>${t('desk.customers')}</h1>
      <button class="quiet" id="person" type="button" aria-haspopup="menu" @click=${openMenu(personMenu)}>
        <span id="greeting" dir="auto">${name ?? t('session.signedIn')}</span>${icon('chevron')}</button>
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
      <input id="search" type="search" aria-label=${t('search.label')} placeholder=${t('search.placeholder')}
        autocomplete="off" aria-keyshortcuts="/"
        aria-invalid=${wrong ? 'true' : nothing} aria-describedby=${wrong ? 'search-note' : nothing}
        .value=${live(text)} @input=${({ target }) => search(target.value)}>
      <kbd aria-hidden="true">/</kbd>
    </form>
    ${wrong ? html`<p class="note" id="search-note">${wrong}</p>` : nothing}
    ${items.length > 0 ? ageButton('link') : nothing}
    <p id="found" role="status">${found()}</p>
    ${draftsButton()}
    ${may('write') ? html`<button class="primary" id="new" type="button" aria-keyshortcuts="n" @click=${openNew}>${icon('plus')}<span class="label">${t('list.new')}</span></button>` : nothing}
    <button class="icon" id="files" type="button" aria-haspopup="menu" aria-label=${t('menu.files')}
      @click=${openMenu(filesMenu)}>${icon('more')}</button>
  </div>`
}

/** The number of customers. */
function found () {
  const { total, items, next, loaded, busy, error, wrong } = state.list
  if (error || wrong) return ''
  if (!loaded) return t('search.loading')
  if (busy && items.length === 0) return t('search.searching')
  if (!total || (items.length === 0 && next)) return items.length === 0 && !next ? '' : t('search.soFar', { count: items.length })
  return t(total.more ? 'customers.orMore' : 'customers', { count: total.count })
}

function filesMenu () {
  const sorts = onPhone.matches ? columns : []
  return [
    may('write') && { label: t('menu.import'), run: onDemand(() => import('./files/import.js'), ({ chooseFile }) => chooseFile()) },
    { label: t('menu.exportAll'), run: () => exportAll() },
    { label: t('menu.operations'), run: onDemand(() => import('./files/operations.js'), ({ openOperations }) => openOperations()) },
    { label: t('menu.duplicates'), run: onDemand(() => import('./duplicates/duplicates.js'), ({ openDuplicates }) => openDuplicates()) },
    { label: t('menu.bin'), run: onDemand(() => import('./list/bin.js'), ({ openBin }) => openBin()) },
    ...sorts.map(({ by, sort }) => ({
      label: t(state.list.sort === `-${fieldOf(sort)}` ? 'menu.sortDescending' : 'menu.sort', { column: by }),
      checked: fieldOf(state.list.sort) === fieldOf(sort),
      run: () => sortBy(sort)
    }))
  ]
}

function personMenu () {
  const { settings: { developer }, config: { issuer, languages }, session: { name } } = state
  return [
    name && { text: t('session.signedInAs', { name }) },
    { label: t('session.account'), run: () => open(`${issuer}/account`, '_blank', 'noopener') },
    { label: t('menu.help'), run: openHelp },
    { label: t('welcome.developerView'), checked: developer, run: () => choose({ developer: !developer }) },
    { label: t('signOut'), run: signOut },
    { text: t('welcome.language') },
    ...Object.entries(languages).map(([tag, name]) => ({
      label: html`<span lang=${tag}>${name}</span>`, checked: tag === language, run: () => chooseLanguage(tag)
    }))
  ]
}
