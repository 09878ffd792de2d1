// The history of the customer in the panel: who changed what and when, newest first.
import { html, nothing } from './lit/lit-html.js'
import { keyed } from './lit/directives/keyed.js'
import { differences, labels } from './customer.js'
import { discard, isChanged, restore } from './panel.js'
import { refusalOf } from './refusal.js'
import { customers } from './session.js'
import { may, state, updateIn } from './state.js'
import { time } from './words.js'

const kinds = { registered: 'Added', updated: 'Changed', removed: 'Removed', restored: 'Restored', erased: 'Erased' }

/** The timeline, closed at first and after a change; it is read when it is opened. */
export function timelineView () {
  const { history, before } = state.panel
  return keyed(before.etag, html`<details class="timeline" @toggle=${({ target }) => { if (target.open && !history) load() }}>
    <summary>History</summary>
    <p class="hint" role="status">${history?.problem ?? (history?.items.length === 0 ? 'No changes are recorded.' : hint())}</p>
    <ol>${history?.items.map(entry)}</ol>
    ${history?.next ? html`<button class="link" type="button" @click=${load}>Earlier changes</button>` : nothing}
  </details>`)
}

/** A restoration would lose what is typed. */
const hint = () => may('write') && isChanged(state.panel)
  ? html`Save your changes or <button class="link" type="button" @click=${discard}>discard them</button> to restore earlier values.`
  : nothing

function entry (change) {
  const { kind, at, sub, client_id: app, before, after } = change
  const who = sub === state.session.sub ? 'you' : 'another person'
  const isNow = !after || differences(after, state.panel.before).length === 0
  return html`<li>
    <p><b>${kinds[kind] ?? kind}</b> by ${who}${app ? html` with ${app}` : nothing}, ${time(at)}</p>
    ${before && after
      ? differences(after, before).map(name => html`<p class="hint">${labels[name]}: <del>${before[name]}</del> <ins>${after[name]}</ins></p>`)
      : nothing}
    ${isNow || !may('write') || isChanged(state.panel)
      ? nothing
      : html`<button class="link" type="button" @click=${() => restore(change)}>Restore<span class="unseen"> the values of ${time(at)}</span></button>`}
  </li>`
}

async function load () {
  const { id, history: { items, next: cursor } = { items: [] } } = state.panel
  const page = await customers.history(id, { limit: 20, cursor })
    .catch(error => ({ items: [], next: cursor, problem: refusalOf(error).sentence }))
  if (state.panel?.id === id) updateIn('panel', { history: { ...page, items: [...items, ...page.items] } })
}
