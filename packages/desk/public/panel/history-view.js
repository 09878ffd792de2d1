// Renders the history of the open customer, newest change first.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { keyed } from '../lit/directives/keyed.js'
import { authorOf } from '../people.js'
import { discard, isChanged, readHistory } from './panel.js'
import { button, time } from '../parts/parts.js'
import { differences, labels } from '../register.js'
import { restore } from './save.js'
import { may, state } from '../state.js'

/** @typedef {'registered' | 'updated' | 'removed' | 'restored' | 'merged' | 'erased'} Kind */

/** The history, collapsed at first; it is read when expanded. */
export function historyView () {
  const { history, opened } = state.panel
  return keyed(opened, html`<details class="timeline" @toggle=${({ target }) => { if (target.open && !history) readHistory() }}>
    <summary>${t('history.title')}</summary>
    <p class="hint" role="status">${history?.problem ?? (history?.items.length === 0 ? t('history.none') : hint())}</p>
    <ol>${history?.items.map(entry)}</ol>
    ${history?.next ? button(t('history.earlier'), () => readHistory(), 'link') : nothing}
  </details>`)
}

/** Restoring would lose unsaved input. */
const hint = () => may('write') && isChanged()
  ? rich('history.saveFirst', { discard: words => button(words, discard, 'link') })
  : nothing

function entry (change) {
  const { customerid, successor, kind, at, sub, client_id: app, before, after } = change
  const { who, name } = authorOf(sub)
  const isNow = differences({ ...state.panel.before, ...after }, state.panel.before).length === 0
  return html`<li>
    <p>${customerid ? html`<span class="chip">${t('customer.number', { number: customerid })}</span> ` : nothing}
      ${rich(`history.${/** @type {Kind} */ (kind)}.${who}`, { name })}${app ? html` · <bdi>${app}</bdi>` : nothing} · ${time(at)}</p>
    ${successor === undefined ? nothing : html`<p>${t('list.merged', { number: customerid ?? state.panel.id, successor })}</p>`}
    ${successor !== undefined && before
      ? html`<p class="hint">${Object.values(before).map((value, index) => html`${index > 0 ? ' · ' : nothing}<bdi>${value}</bdi>`)}</p>`
      : nothing}
    ${before && after
      ? differences(after, before).map(name => html`<p class="hint">${rich('others.change', {
        field: labels[name], before: html`<del>${before[name]}</del>`, after: html`<ins>${after[name]}</ins>`
      })}</p>`)
      : nothing}
    ${isNow || customerid || !may('write') || isChanged()
      ? nothing
      : button(rich('history.restore', { time: time(at) }), () => restore(change), 'link')}
  </li>`
}
