// Renders the side panel: the fields, what someone else changed in the meantime, and the history, newest change first.
import { html, nothing } from '../lit/lit-html.js'
import { keyed } from '../lit/directives/keyed.js'
import { live } from '../lit/directives/live.js'
import { warningView } from '../parts/messages.js'
import { close, discard, isChanged, isNew, readHistory, removeThis, restore, save, type } from './panel.js'
import { button, icon, time } from '../parts/parts.js'
import { differences, labels, nameOf } from '../register.js'
import { may, state } from '../state.js'

const numeric = ['customerid', 'customerage']
const kinds = { registered: 'Added', updated: 'Changed', removed: 'Removed', restored: 'Restored', erased: 'Erased' }

/** The panel, even while closed: a modal dialog, which blocks the rest of the page. */
export function panelView () {
  // The event comes a frame later: by then, the next customer can be open.
  const onClose = ({ target }) => { if (!target.open) close() }
  return html`<dialog class="panel" aria-labelledby="panel-title" ?data-open=${state.panel} @close=${onClose}>${state.panel ? form() : nothing}</dialog>`
}

function form () {
  const { id, before, busy, isDraft, problem, conflict } = state.panel
  const changed = isChanged()
  const submit = event => {
    event.preventDefault()
    if (may('write')) save()
  }
  return html`<form novalidate aria-busy=${busy} @submit=${submit}>
    <div class="head">
      <div><h2 id="panel-title">${isNew(id) ? 'New customer' : nameOf(before)}</h2>${isNew(id) ? nothing : html`<p>Number ${id}</p>`}</div>
      <button class="icon" type="button" aria-label="Close" @click=${close}>${icon('close')}</button>
    </div>
    <div class="body">
      ${warningView()}
      ${isDraft && changed && !conflict ? draftView() : nothing}
      ${problem ? problemView(problem) : nothing}
      ${conflict ? conflictView(conflict) : nothing}
      ${Object.keys(labels).filter(name => isNew(id) || name !== 'customerid').map(field)}
      ${before.created ? timesView(before) : nothing}
      ${!isNew(id) && may('read') ? historyView() : nothing}
    </div>
    <div class="foot">
      ${may('write')
        ? html`<button class="primary" ?disabled=${!isNew(id) && !changed}>${isNew(id) ? 'Add customer' : 'Save'}</button>
          <button type="button" @click=${close}>Close</button>`
        : html`<p class="hint">You have read-only access.</p>`}
      ${!isNew(id) && may('delete') ? button('Remove…', removeThis, 'danger quiet') : nothing}
    </div>
  </form>`
}

const draftView = () => html`<p class="hint">Draft, not saved yet. ${button('Discard draft', discard, 'link')}</p>`

function field (name) {
  const { values, errors, busy } = state.panel
  const note = errors[name]
  return html`<div class="field">
    <label for="panel-${name}">${labels[name]}</label>
    <input id="panel-${name}" name=${name} inputmode=${numeric.includes(name) ? 'numeric' : 'text'} autocomplete="off" dir="auto"
      ?autofocus=${name === 'customername'} ?readonly=${busy || !may('write')}
      aria-invalid=${note ? 'true' : nothing} aria-describedby=${note ? `panel-${name}-note` : nothing}
      .value=${live(values[name])} @input=${({ target }) => type(name, target.value)}>
    ${note ? html`<p class="note" id="panel-${name}-note">${note}</p>` : nothing}
  </div>`
}

const timesView = ({ created, updated }) => html`<dl class="times">
  <div><dt>Added</dt><dd>${time(created)}</dd></div>
  <div><dt>Changed</dt><dd>${time(updated)}</dd></div>
</dl>`

const problemView = ({ title, text, requestId }) => html`<div class="problem" id="panel-problem" role="alert" tabindex="-1">
  <p class="title">${title}</p>
  ${text ? html`<p>${text}</p>` : nothing}
  ${requestId ? html`<p class="small">Reference ${requestId}</p>` : nothing}
</div>`

function conflictView (rows) {
  return html`<section class="conflict" id="panel-conflict" tabindex="-1" aria-labelledby="conflict-title">
    <div role="alert"><h3 id="conflict-title">Someone else saved changes to this customer</h3></div>
    <p>Choose which to keep. Fields that you didn't change show their values.</p>
    ${rows.map(({ name, before, theirs, mine }) => html`<dl>
      <div class="of"><dt>${labels[name]}</dt><dd>${mine === null ? nothing : choice(name, theirs, mine)}</dd></div>
      <div><dt>Before</dt><dd>${before}</dd></div>
      <div><dt>Theirs</dt><dd>${theirs}</dd></div>
      <div><dt>Mine</dt><dd>${mine ?? html`<i>not changed</i>`}</dd></div>
    </dl>`)}
  </section>`
}

function choice (name, theirs, mine) {
  const isMine = state.panel.values[name] !== theirs
  const label = html`${isMine ? 'Use theirs' : 'Use mine'}<span class="unseen"> for ${labels[name]}</span>`
  return button(label, () => type(name, isMine ? theirs : mine), 'link')
}

/** The history, collapsed at first and after a change; it is read when expanded. */
function historyView () {
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
  const who = sub === state.session.sub ? 'you' : 'another person'
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
