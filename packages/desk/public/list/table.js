// The table, its headings and rows, and what is shown when there are none.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { guard } from '../lit/directives/guard.js'
import { live } from '../lit/directives/live.js'
import { repeat } from '../lit/directives/repeat.js'
import { bringBack, removeOne } from './remove.js'
import { draftOf } from '../panel/drafts.js'
import { draftChip } from '../panel/drafts-view.js'
import { columns, fieldOf } from './columns.js'
import { erase } from './erase.js'
import { exportCsv, exportData } from '../files/export.js'
import { begin, more, numberIn, refresh, search, sortBy } from './list.js'
import { openMenu } from '../parts/menu.js'
import { openCustomer, openNew } from '../panel/panel.js'
import { button, icon, time } from '../parts/parts.js'
import { nameOf } from '../register.js'
import { enter } from '../session.js'
import { extend, isSelected, rowIds, selectedRows, selectRows, toggle } from './selection.js'
import { may, state, update } from '../state.js'

/** The table, or why there is nothing to show. */
export function tableView () {
  const { items, loaded, error, wrong, stale, busy } = state.list
  if (error) return error === 'forbidden' ? forbidden() : failed(error)
  // A note above explains why.
  if (wrong) return nothing
  if (loaded && items.length === 0 && !busy) return empty()
  return html`
    <div class="sheet" ?data-stale=${stale} aria-busy=${busy}>
      <table role="table" aria-label=${t('desk.customers')}>
        <thead role="rowgroup"><tr role="row">
          <th role="columnheader" class="pick">${selectRowsBox()}</th>
          ${columns.map(heading)}
          <th role="columnheader" class="actions"><span class="unseen">${t('list.actions')}</span></th>
        </tr></thead>
        <tbody role="rowgroup">${loaded ? repeat(items, ({ customerid }) => customerid, changedRow) : Array.from({ length: 12 }, skeleton)}</tbody>
      </table>
    </div>`
}

function selectRowsBox () {
  const { items } = state.list
  const { length } = selectedRows()
  return html`<input type="checkbox" aria-label=${t('list.selectRows')} ?disabled=${items.length === 0}
    .checked=${live(length > 0 && length === items.length)} .indeterminate=${live(length > 0 && length < items.length)}
    @change=${({ target }) => selectRows(target.checked)}>`
}

function heading ({ name, label, sort }) {
  const order = { [fieldOf(sort)]: 'ascending', [`-${fieldOf(sort)}`]: 'descending' }[state.list.sorted ?? state.list.sort] ?? 'none'
  return html`<th role="columnheader" scope="col" class=${name} aria-sort=${order}>
    <button type="button" @click=${() => sortBy(sort)}>${label}${order === 'none' ? nothing : icon(order)}</button></th>`
}

function skeleton () {
  const cells = ['pick', ...columns.map(({ name }) => name), 'actions']
  return html`<tr role="row" class="skeleton">${cells.map(name => html`<td role="cell" class=${name}><span></span></td>`)}</tr>`
}

/** A row, rendered only if it has changed: there can be thousands. An ETag stands for the values. */
function changedRow (customer) {
  const { customerid: id, etag, updated } = customer
  return guard([etag, updated, id === state.active, isSelected(id), state.fresh.has(id), draftOf(id)], () => row(customer))
}

function row (customer) {
  const { customerid: id, customerage: age, customeraddress: address, updated } = customer
  const name = nameOf(customer)
  const tab = id === state.active ? 0 : -1
  const isChosen = isSelected(id)
  return html`<tr role="row" data-id=${id} ?data-selected=${isChosen} ?data-fresh=${state.fresh.has(id)}
    @click=${event => onClick(event, customer)} @focusin=${() => { if (state.active !== id) update({ active: id }) }}>
    <td role="cell" class="pick" @mousedown=${keepText}><input type="checkbox" tabindex=${tab} aria-label=${t('list.select', { name })}
      .checked=${live(isChosen)} @click=${({ shiftKey }) => toggle(id, shiftKey)}></td>
    <td role="cell" class="number" data-label=${t('customer.numberOnPhone')}>${id}</td>
    <td role="cell" class="name"><button class="open" type="button" tabindex=${tab}>${name}</button> ${draftChip(id)}</td>
    <td role="cell" class="age" data-label=${t('customer.ageOnPhone')}>${age}</td>
    <td role="cell" class="address">${address}</td>
    <td role="cell" class="changed">${updated ? time(updated) : nothing}</td>
    <td role="cell" class="actions"><button class="icon" type="button" tabindex=${tab} aria-haspopup="menu" aria-label=${t('list.actionsFor', { name })}
      @click=${openMenu(() => actionsFor(customer))}>${icon('more')}</button></td>
  </tr>`
}

const actionsFor = customer => [
  { label: may('write') ? t('edit') : t('open'), run: () => openCustomer(customer) },
  { label: t('menu.export'), run: () => exportCsv(customer) },
  { label: t('menu.exportData'), run: () => exportData(customer) },
  may('delete') && { label: t('menu.remove'), danger: true, run: () => removeOne(customer) },
  may('delete') && { label: t('menu.erase'), danger: true, run: () => erase(customer) }
]

/** A click anywhere in a row opens it, except on its controls or when selecting text. */
function onClick ({ target }, customer) {
  if (!target.closest('input, .actions, .pick') && getSelection().isCollapsed) openCustomer(customer)
}

/** Shift-click selects rows, not the text between them. */
const keepText = event => { if (event.shiftKey) event.preventDefault() }

/** Moves the focus by `step` rows, at most to the first or last one; with `isRange`, selects the rows in between. */
export async function move (step, isRange = false) {
  const ids = rowIds()
  if (ids.length === 0) return
  const to = ids[Math.min(ids.length - 1, Math.max(0, ids.indexOf(state.active) + step))]
  if (isRange) extend(state.active, to)
  await update({ active: to })
  focusRow(to)
}

/** Focuses a customer's row. Without one, the focus stays, or moves to "New customer". */
export function focusRow (id) {
  /** @type {HTMLElement} */
  const button = document.querySelector(`tr[data-id="${id}"] .open`)
  if (!button && document.activeElement === document.body) document.getElementById('new')?.focus()
  button?.focus()
  button?.closest('tr').scrollIntoView({ block: 'nearest' })
}

/** Loads the next page when the end of the table scrolls into view. */
export const scrolled = new IntersectionObserver(([{ isIntersecting }]) => {
  const { items = [], next, busy, stale, error, wrong } = state.list ?? {}
  if (isIntersecting && next && !busy && !stale && !error && !wrong && items.length > 0) more()
}, { rootMargin: '400px' })

function empty () {
  const { text, next, removed, successor } = state.list
  if (successor !== undefined) {
    const find = button(t('search.number', { number: successor }), () => searchNow(String(successor)), 'primary')
    return place('people', t('list.merged', { number: text.trim(), successor }), nothing, find)
  }
  if (removed) {
    const { customerid, customeraddress, at } = removed
    const what = rich('list.removedAt', { number: customerid, address: customeraddress, time: time(at) })
    return place('people', t('list.wasRemoved', { name: nameOf(removed) }), what, may('write') ? button(t('restore'), () => bringBack(removed), 'primary') : nothing)
  }
  if (next) return place('search', t('search.nothingYet'), t('search.partly'), button(t('search.continue'), more))
  if (text.trim() === '') {
    const add = may('write') ? button(t('list.addFirst'), openNew) : nothing
    return place('people', t('list.none'), t('list.anyScript'), add)
  }
  return place('search', t('search.nothingFound'), t('search.hint'), button(t('search.clear'), () => searchNow('')))
}

/** Suggests searching by age, if the input can be an age. */
export function ageButton (kind) {
  const age = numberIn(state.list.text)
  return age === null || age < 0 || age > 150 ? null : button(t('search.peopleAged', { age }), () => searchNow(t('search.age', { age })), kind)
}

/** Searches for a text that the user did not type. */
function searchNow (text) {
  search(text)
  document.getElementById('search').focus()
}

function forbidden () {
  const text = t('list.scopeMissing', { scope: 'customer:read' })
  return place('lock', t('list.forbidden'), text, button(t('signInAgain'), enter))
}

const failed = ({ title, text, temporary }) => place('offline', title, text, button(t('tryAgain'), temporary ? refresh : begin))

const place = (picture, title, text, action) =>
  html`<div class="place">${icon(picture)}<h2>${title}</h2><p>${text}</p>${action}</div>`
