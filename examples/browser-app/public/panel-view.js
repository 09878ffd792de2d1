// What the side panel looks like.
import { html, nothing } from './lit/lit-html.js'
import { live } from './lit/directives/live.js'
import { warningView } from './banners.js'
import { icon } from './icons.js'
import { addAgain, close, discard, isChanged, labels, removeThis, save, type } from './panel.js'
import { may, state } from './state.js'
import { time } from './time.js'
import { timelineView } from './timeline.js'

const kinds = {
  customerid: { inputmode: 'numeric', maxlength: 10 },
  customername: { inputmode: 'text', maxlength: 200 },
  customerage: { inputmode: 'numeric', maxlength: 10 },
  customeraddress: { inputmode: 'text', maxlength: 400 }
}

/** The panel, a modal dialog: the rest of the page waits. */
export function panelView () {
  const { panel } = state
  if (!panel) return nothing
  const { id, before, busy, isDraft, problem, conflict } = panel
  const isNew = id === 'new'
  const changed = isChanged(panel)
  return html`<dialog class="panel" aria-labelledby="panel-title" @cancel=${cancel}>
    <form novalidate aria-busy=${busy} @submit=${submit}>
      <header>
        <div><h2 id="panel-title">${isNew ? 'New customer' : before.customername}</h2>${isNew ? nothing : html`<p>Number ${id}</p>`}</div>
        <button class="icon" type="button" aria-label="Close" @click=${close}>${icon('close')}</button>
      </header>
      <div class="body">
        ${warningView()}
        ${isDraft && changed && !conflict ? html`<p class="hint">This is a draft: it is not saved yet. <button class="link" type="button" @click=${discard}>Discard it</button></p>` : nothing}
        ${problem ? problemView(problem) : nothing}
        ${conflict ? conflictView(conflict) : nothing}
        ${Object.keys(labels).filter(name => isNew || name !== 'customerid').map(field)}
        ${before?.created
? html`<dl class="times">
          <div><dt>Added</dt><dd>${time(before.created)}</dd></div>
          <div><dt>Changed</dt><dd>${time(before.updated)}</dd></div>
        </dl>`
: nothing}
        ${!isNew && may('read') ? timelineView() : nothing}
      </div>
      <footer>
        ${may('write')
? html`<button class="primary" ?disabled=${!isNew && !changed}>${isNew ? 'Add customer' : 'Save'}</button>
          <button type="button" @click=${close}>Close</button>`
: html`<p class="hint">Your access is for reading only.</p>`}
        ${!isNew && may('delete') ? html`<button class="danger quiet" type="button" @click=${removeThis}>Remove…</button>` : nothing}
      </footer>
    </form>
  </dialog>`
}

function field (name) {
  const { values, errors } = state.panel
  const { inputmode, maxlength } = kinds[name]
  const note = errors[name]
  const first = name === 'customername'
  return html`<div class="field">
    <label for="panel-${name}">${labels[name]}</label>
    <input id="panel-${name}" name=${name} inputmode=${inputmode} maxlength=${maxlength} autocomplete="off" dir="auto" ?autofocus=${first}
      ?readonly=${!may('write')} aria-invalid=${note ? 'true' : nothing} aria-describedby=${note ? `panel-${name}-note` : nothing}
      .value=${live(values[name])} @input=${({ target }) => type(name, target.value)}>
    ${note ? html`<p class="note" id="panel-${name}-note">${note}</p>` : nothing}
  </div>`
}

function problemView ({ title, text, requestId, isGone }) {
  return html`<div class="problem" id="panel-problem" role="alert" tabindex="-1">
    <p class="title">${title}</p>
    ${text ? html`<p>${text}</p>` : nothing}
    ${requestId ? html`<p class="small">Reference ${requestId}</p>` : nothing}
    ${isGone ? html`<p>Nothing is lost: your changes are below. <button class="link" type="button" @click=${addAgain}>Add the customer again</button></p>` : nothing}
  </div>`
}

function conflictView (rows) {
  return html`<section class="conflict" id="panel-conflict" tabindex="-1" aria-labelledby="conflict-title">
    <div role="alert"><h3 id="conflict-title">Another person changed this customer</h3></div>
    <p>Nothing is overwritten yet. Your changes are still below, with theirs where you changed nothing.</p>
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
  return html`<button class="link" type="button" @click=${() => type(name, isMine ? theirs : mine)}>${isMine ? 'Use theirs' : 'Use mine'}<span class="unseen"> for ${labels[name]}</span></button>`
}

function submit (event) {
  event.preventDefault()
  if (may('write')) save()
}

/** Escape closes the panel as "Close" does. */
function cancel (event) {
  event.preventDefault()
  close()
}
