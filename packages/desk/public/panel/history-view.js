// Renders the history of the open customer, newest change first.
import { html, nothing } from '../lit/lit-html.js'
import { keyed } from '../lit/directives/keyed.js'
import { discard, isChanged, readHistory } from './panel.js'
import { button, time } from '../parts/parts.js'
import { differences, labels } from '../register.js'
import { restore } from './save.js'
import { may, state } from '../state.js'

const kinds = { registered: 'Added', updated: 'Changed', removed: 'Removed', restored: 'Restored', erased: 'Erased' }

/** The history, collapsed at first and after a change; it is read when expanded. */
export function historyView () {
  const { history, before } = state.panel
  return keyed(before.etag, html`<details class="timeline" @toggle=${({ target }) => { if (target.open && !history) readHistory() }}>
    <summary>History</summary>
    <p class="hint" role="status">${history?.problem ?? (history?.items.length === 0 ? 'No changes recorded.' : hint())}</p>
    <ol>${history?.items.map(entry)}</ol>
    ${history?.next ? button('Earlier changes', readHistory, 'link') : nothing}
  </details>`)
}

/** Restoring would lose unsaved input. */
const hint = () => may('write') && isChanged()
  ? html`Save your changes or ${button('discard them', discard, 'link')} to restore earlier values.`
  : nothing

function entry (change) {
  const { kind, at, sub, client_id: app, before, after } = change
  const who = sub === state.session.sub ? 'you' : 'someone else'
  const isNow = differences({ ...state.panel.before, ...after }, state.panel.before).length === 0
  return html`<li>
    <p><b>${kinds[kind] ?? kind}</b> by ${who}${app ? html` with ${app}` : nothing}, ${time(at)}</p>
    ${before && after
      ? differences(after, before).map(name => html`<p class="hint">${labels[name]}: <del>${before[name]}</del> <ins>${after[name]}</ins></p>`)
      : nothing}
    ${isNow || !may('write') || isChanged()
      ? nothing
      : button(html`Restore<span class="unseen"> the values of ${time(at)}</span>`, () => restore(change), 'link')}
  </li>`
}
