// Says what someone else did to the open customer, and lets the user choose, field by field.
import { list, rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { keyed } from '../lit/directives/keyed.js'
import { addAgain } from './others.js'
import { discard, isChanged, type } from './panel.js'
import { button } from '../parts/parts.js'
import { labels } from '../register.js'
import { openNumber } from '../show-place.js'
import { may, state } from '../state.js'

/** What someone else changed, or that they removed the customer. */
export function othersView () {
  const { gone, conflict = [], merged } = state.panel
  if (gone) return goneView(gone)
  // Its element always exists, because screen readers announce changes in it.
  return html`<div role="status">${merged.length > 0 ? html`<p class="hint">${mergedText(merged)}</p>` : nothing}</div>
    ${conflict.length > 0 ? conflictView(conflict) : nothing}`
}

const mergedText = merged => t('others.merged', {
  changes: list(merged.map(({ name, before, theirs }) => t('others.change', { field: labels[name], before, after: theirs })))
})

function goneView ({ isErased, removed, successor }) {
  if (successor !== undefined) return mergedView(successor)
  const again = may('write') && !isErased
  const text = [
    isErased && t('others.notRestorable'),
    again && isChanged() && t('others.changesBelow')
  ]
  return html`<div class="problem" id="panel-gone" tabindex="-1">
    <p class="title" role="alert">${t(isErased ? 'others.erased' : 'others.removed')}</p>
    <p>${text.filter(Boolean).join(' ')}</p>
    <div class="choices">
      ${again ? button(t(isChanged() || !removed ? 'others.addAgain' : 'restore'), addAgain) : nothing}
      ${isChanged() ? button(t('discard'), discard) : nothing}
    </div>
  </div>`
}

const mergedView = successor => html`<div class="problem" id="panel-gone" tabindex="-1">
  <p class="title" role="alert">${t('list.merged', { number: state.panel.id, successor })}</p>
  <div class="choices">
    ${button(rich('panel.openNamesake', { number: successor }), () => openNumber(successor, state.panel.id))}
    ${isChanged() ? button(t('discard'), discard) : nothing}
  </div>
</div>`

function conflictView (rows) {
  return html`<section class="conflict" id="panel-conflict" tabindex="-1" aria-labelledby="conflict-title">
    ${keyed(state.panel.before.etag, html`<div role="alert"><h3 id="conflict-title">${t('others.conflict')}</h3></div>`)}
    <p>${t('others.choose')}</p>
    ${rows.length > 1
      ? html`<div class="choices">${button(t('others.useAllTheirs'), () => chooseAll(rows, 'theirs'))}${button(t('others.useAllMine'), () => chooseAll(rows, 'mine'))}</div>`
      : nothing}
    ${rows.map(row)}
  </section>`
}

function row (row) {
  const { name, before, theirs, mine } = row
  return html`<dl>
    <div class="of"><dt>${labels[name]}</dt><dd></dd></div>
    <div><dt>${t('others.before')}</dt><dd><bdi>${before}</bdi></dd></div>
    <div><dt>${t('others.theirs')}</dt><dd><bdi>${theirs}</bdi>${choice(row, 'theirs')}</dd></div>
    <div><dt>${t('others.mine')}</dt><dd><bdi>${mine}</bdi>${choice(row, 'mine')}</dd></div>
  </dl>`
}

function choice (row, whose) {
  return html`<button class="choice" type="button" aria-pressed=${row.choice === whose} @click=${() => choose(row, whose)}>
    <span>${rich(whose === 'theirs' ? 'others.useTheirs' : 'others.useMine', { field: labels[row.name] })}</span></button>`
}

const choose = (row, whose) => type(row.name, row[whose], { isChosen: true })

const chooseAll = (rows, whose) => { for (const row of rows) choose(row, whose) }
