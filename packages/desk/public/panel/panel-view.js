// Renders the side panel: what the user must know, the fields, and the history.
import { rich, t, toAsciiDigits } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { othersView } from './conflict-view.js'
import * as drafts from './drafts.js'
import { historyView } from './history-view.js'
import { awayView } from '../parts/connection.js'
import { warningView } from '../parts/messages.js'
import { namesakesView } from './namesakes.js'
import { lookAgain } from './others.js'
import { close, discard, isChanged, isEditable, openCustomer, removeThis, type } from './panel.js'
import { button, icon, time } from '../parts/parts.js'
import { labels, nameOf } from '../register.js'
import { focusPart, isSaving, save } from './save.js'
import { may, state } from '../state.js'
import { isOffline, stopWaiting } from './waiting.js'

const numeric = ['customerid', 'customerage']

/** The panel, even while closed: a modal dialog, which blocks the rest of the page. */
export function panelView () {
  // The event comes a frame later: by then, the next customer can be open.
  const onClose = ({ target }) => { if (!target.open) close() }
  return html`<dialog class="panel" aria-labelledby="panel-title" ?data-open=${state.panel} @close=${onClose}>${state.panel ? form() : nothing}</dialog>`
}

function form () {
  const { id, before, problem, mergedFrom } = state.panel
  const isNew = drafts.isNew(id)
  return html`<form novalidate aria-busy=${isSaving(id)} @submit=${submit} @keydown=${saveByKey}>
    <div class="head">
      <div><h2 id="panel-title">${isNew ? t('list.new') : html`<bdi>${nameOf(before)}</bdi>`}</h2>${isNew ? nothing : html`<p>${t('customer.number', { number: id })}</p>`}</div>
      <button class="icon" type="button" aria-label=${t('close')} @click=${close}>${icon('close')}</button>
    </div>
    <div class="body">
      ${warningView()}
      ${awayView()}
      ${mergedFrom === undefined ? nothing : html`<p class="hint">${t('list.merged', { number: mergedFrom, successor: id })}</p>`}
      ${draftView()}
      ${problem ? problemView(problem) : nothing}
      ${othersView()}
      ${Object.keys(labels).filter(name => isNew || name !== 'customerid').map(field)}
      ${before.created ? timesView(before) : nothing}
      ${!isNew && may('read') ? historyView() : nothing}
    </div>
    <div class="foot">${may('write') ? saveButtons() : html`<p class="hint">${t('panel.readOnly')}</p>`}
      ${!isNew && may('delete') && !state.panel.gone ? button(t('menu.remove'), removeThis, 'danger quiet') : nothing}
    </div>
  </form>`
}

function submit (event) {
  event.preventDefault()
  if (isEditable() && !state.panel.gone) save()
}

/** Ctrl+Enter or Cmd+Enter saves, wherever the focus is. */
function saveByKey (event) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

function saveButtons () {
  const { id, conflict = [], gone } = state.panel
  const canSave = isEditable() && (drafts.isNew(id) || isChanged() || conflict.length > 0)
  return html`${gone
      ? nothing
      : html`<button class="primary" aria-keyshortcuts="Control+Enter" ?disabled=${!canSave && !isSaving(id)}>${t(drafts.isNew(id) ? 'panel.addCustomer' : 'save')}</button>`}
    <button type="button" @click=${close}>${t('close')}</button>`
}

/** What happens to the unsaved input. */
function draftView () {
  const { id, isDraft, gone } = state.panel
  if (!drafts.hasRoom(id)) return html`<p class="hint">${drafts.fullText}</p>`
  if (drafts.draftOf(id)?.waiting) return waitingView(id)
  if (!isDraft || !isChanged() || gone) return nothing
  return html`<p class="hint">${t('panel.draft')} ${button(t('panel.discardDraft'), discard, 'link')}</p>`
}

function waitingView (id) {
  const cancel = async () => {
    await stopWaiting(id)
    focusPart('customername')
    lookAgain()
  }
  return html`<p class="hint" id="panel-waiting" tabindex="-1">${isSaving(id)
    ? t('panel.saving')
    : rich(isOffline() ? 'panel.savesOnline' : 'panel.savesLater', { cancel: words => button(words, cancel, 'link') })}</p>`
}

function field (name) {
  const { values, errors, namesakes } = state.panel
  const note = errors[name]
  const isNumber = numeric.includes(name)
  return html`<div class="field">
    <label for="panel-${name}">${labels[name]}</label>
    <input id="panel-${name}" name=${name} inputmode=${isNumber ? 'numeric' : 'text'} dir=${isNumber ? 'ltr' : 'auto'} autocomplete="off"
      ?autofocus=${name === 'customername'} ?readonly=${!isEditable()}
      aria-invalid=${note ? 'true' : nothing} aria-describedby=${note ? `panel-${name}-note` : nothing}
      .value=${live(values[name])} @input=${({ target }) => type(name, isNumber ? toAsciiDigits(target.value) : target.value)}>
    ${note ? html`<p class="note" id="panel-${name}-note">${note}</p>` : nothing}
    ${name === 'customername' ? namesakesView(namesakes, openCustomer) : nothing}
  </div>`
}

const timesView = ({ created, updated }) => html`<dl class="times">
  <div><dt>${t('panel.added')}</dt><dd>${time(created)}</dd></div>
  <div><dt>${t('changed')}</dt><dd>${time(updated)}</dd></div>
</dl>`

const problemView = ({ title, text, requestId }) => html`<div class="problem" id="panel-problem" role="alert" tabindex="-1">
  <p class="title">${title}</p>
  ${text ? html`<p dir="auto">${text}</p>` : nothing}
  ${requestId ? html`<p class="small">${t('panel.reference', { id: requestId })}</p>` : nothing}
</div>`
