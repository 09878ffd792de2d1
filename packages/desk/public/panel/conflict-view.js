// Says what someone else did to the open customer, and lets the user choose, field by field.
import { html, nothing } from '../lit/lit-html.js'
import { keyed } from '../lit/directives/keyed.js'
import { addAgain } from './others.js'
import { discard, isChanged, type } from './panel.js'
import { button } from '../parts/parts.js'
import { labels } from '../register.js'
import { may, state } from '../state.js'

/** What someone else changed, or that they removed the customer. */
export function othersView () {
  const { gone, conflict = [], merged } = state.panel
  if (gone) return goneView(gone)
  // Its element always exists, because screen readers announce changes in it.
  return html`<div role="status">${merged.length > 0 ? html`<p class="hint">${mergedText(merged)}</p>` : nothing}</div>
    ${conflict.length > 0 ? conflictView(conflict) : nothing}`
}

const mergedText = merged => `Someone else changed ${merged.map(({ name, before, theirs }) => `${labels[name]}: ${before} → ${theirs}`).join(', ')}.`

function goneView ({ isErased, removed }) {
  const again = may('write') && !isErased
  const text = [
    isErased && 'Erased customers can\'t be restored.',
    again && isChanged() && 'Your changes are below. Add the customer again, or discard them.'
  ]
  return html`<div class="problem" id="panel-gone" tabindex="-1">
    <p class="title" role="alert">Someone ${isErased ? 'erased' : 'removed'} this customer.</p>
    <p>${text.filter(Boolean).join(' ')}</p>
    <div class="choices">
      ${again ? button(isChanged() || !removed ? 'Add again' : 'Restore', addAgain) : nothing}
      ${isChanged() ? button('Discard', discard) : nothing}
    </div>
  </div>`
}

function conflictView (rows) {
  return html`<section class="conflict" id="panel-conflict" tabindex="-1" aria-labelledby="conflict-title">
    ${keyed(state.panel.before.etag, html`<div role="alert"><h3 id="conflict-title">Someone else saved changes to this customer</h3></div>`)}
    <p>Choose which to keep, then save.</p>
    ${rows.length > 1
      ? html`<div class="choices">${button('Use all theirs', () => chooseAll(rows, 'theirs'))}${button('Use all mine', () => chooseAll(rows, 'mine'))}</div>`
      : nothing}
    ${rows.map(row)}
  </section>`
}

function row (row) {
  const { name, before, theirs, mine } = row
  return html`<dl>
    <div class="of"><dt>${labels[name]}</dt><dd></dd></div>
    <div><dt>Before</dt><dd>${before}</dd></div>
    <div><dt>Theirs</dt><dd>${theirs}${choice(row, 'theirs')}</dd></div>
    <div><dt>Mine</dt><dd>${mine}${choice(row, 'mine')}</dd></div>
  </dl>`
}

function choice (row, whose) {
  return html`<button class="choice" type="button" aria-pressed=${row.choice === whose} @click=${() => choose(row, whose)}>Use
    ${whose}<span class="unseen"> for ${labels[row.name]}</span></button>`
}

const choose = (row, whose) => type(row.name, row[whose], { isChosen: true })

const chooseAll = (rows, whose) => { for (const row of rows) choose(row, whose) }
