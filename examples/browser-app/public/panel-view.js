// What the side panel looks like.
import { html, nothing } from './lit/lit-html.js'
import { live } from './lit/directives/live.js'
import { warningView } from './banners.js'
import { labels } from './customer.js'
import { icon } from './icons.js'
import { close, discard, isChanged, isNew, removeThis, save, type } from './panel.js'
import { may, state } from './state.js'
import { timelineView } from './timeline.js'
import { time } from './words.js'

const numeric = ['customerid', 'customerage']

/** The panel, also while it is closed: a modal dialog, so that the rest of the page waits. */
export function panelView () {
  return html`<dialog class="panel" aria-labelledby="panel-title" ?data-open=${state.panel} @close=${close}>${state.panel ? form() : nothing}</dialog>`
}

function form () {
  const { id, before, busy, isDraft, problem, conflict } = state.panel
  const changed = isChanged(state.panel)
  return html`<form novalidate aria-busy=${busy} @submit=${submit}>
    <div class="head">
      <div><h2 id="panel-title">${isNew(id) ? 'New customer' : before.customername}</h2>${isNew(id) ? nothing : html`<p>Number ${id}</p>`}</div>
      <button class="icon" type="button" aria-label="Close" @click=${close}>${icon('close')}</button>
    </div>
    <div class="body">
      ${warningView()}
      ${isDraft && changed && !conflict ? html`<p class="hint">This is a draft: it is not saved yet. <button class="link" type="button" @click=${discard}>Discard it</button></p>` : nothing}
      ${problem ? problemView(problem) : nothing}
      ${conflict ? conflictView(conflict) : nothing}
      ${Object.keys(labels).filter(name => isNew(id) || name !== 'customerid').map(field)}
      ${before.created ? timesView(before) : nothing}
      ${!isNew(id) && may('read') ? timelineView() : nothing}
    </div>
    <div class="foot">
      ${may('write')
        ? html`<button class="primary" ?disabled=${!isNew(id) && !changed}>${isNew(id) ? 'Add customer' : 'Save'}</button>
          <button type="button" @click=${close}>Close</button>`
        : html`<p class="hint">Your access is for reading only.</p>`}
      ${!isNew(id) && may('delete') ? html`<button class="danger quiet" type="button" @click=${removeThis}>Remove…</button>` : nothing}
    </div>
  </form>`
}

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

function timesView ({ created, updated }) {
  return html`<dl class="times">
    <div><dt>Added</dt><dd>${time(created)}</dd></div>
    <div><dt>Changed</dt><dd>${time(updated)}</dd></div>
  </dl>`
}

function problemView ({ title, text, requestId }) {
  return html`<div class="problem" id="panel-problem" role="alert" tabindex="-1">
    <p class="title">${title}</p>
    ${text ? html`<p>${text}</p>` : nothing}
    ${requestId ? html`<p class="small">Reference ${requestId}</p>` : nothing}
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
