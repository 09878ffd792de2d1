// The history of the customer in the panel: who changed what and when, newest first.
import { html, nothing } from './lit/lit-html.js'
import { keyed } from './lit/directives/keyed.js'
import { labels, restore } from './panel.js'
import { refusalOf } from './refusal.js'
import { customers } from './session.js'
import { may, state, update } from './state.js'
import { time } from './time.js'

const kinds = { registered: 'Added', updated: 'Changed', removed: 'Removed', restored: 'Restored', erased: 'Erased' }

/** The timeline, closed at first and after a change; it is read when it is opened. */
export function timelineView () {
  const { history, before } = state.panel
  return keyed(before.etag, html`<details class="timeline" @toggle=${({ target }) => { if (target.open && !history) load() }}>
    <summary>History</summary>
    ${history?.problem ? html`<p role="alert">${history.problem}</p>` : nothing}
    ${history?.items.length === 0 && !history.problem ? html`<p class="hint">No changes are recorded.</p>` : nothing}
    <ol>${history?.items.map(entry)}</ol>
    ${history?.next ? html`<button class="link" type="button" @click=${load}>Earlier changes</button>` : nothing}
  </details>`)
}

function entry (change) {
  const { kind, at, sub, client_id: app, before, after } = change
  const who = sub === state.session.sub ? 'you' : 'another person'
  const fields = before && after ? Object.keys(after).filter(name => before[name] !== after[name]) : []
  const isNow = !after || Object.keys(after).every(name => after[name] === state.panel.before[name])
  return html`<li>
    <p><b>${kinds[kind] ?? kind}</b> by ${who}${app ? html` with ${app}` : nothing}, ${time(at)}</p>
    ${fields.map(name => html`<p class="hint">${labels[name]}: <del>${before[name]}</del> <ins>${after[name]}</ins></p>`)}
    ${isNow || !may('write') ? nothing : html`<button class="link" type="button" @click=${() => restore(change)}>Restore</button>`}
  </li>`
}

async function load () {
  const { id, history = { items: [] } } = state.panel
  let found
  try {
    const { items, next } = await customers.history(id, { limit: 20, cursor: history.next })
    found = { items: [...history.items, ...items], next }
  } catch (error) {
    found = { ...history, problem: refusalOf(error).sentence }
  }
  if (state.panel?.id === id) update({ panel: { ...state.panel, history: found } })
}
