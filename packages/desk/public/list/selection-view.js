// The bar for the selection, in the place of the search, and its bulk actions.
import { count, rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { exportSelected } from '../files/export.js'
import { onDemand } from '../parts/on-demand.js'
import { button, icon } from '../parts/parts.js'
import { may, state } from '../state.js'
import { clearSelection, selectAll, selectedRows, selectedTotal } from './selection.js'

/** Removes the selected customers, if the user confirms. */
export const removeSelected = onDemand(() => import('./selection-actions.js'), actions => actions.removeSelected())

const changeSelected = onDemand(() => import('./selection-actions.js'), actions => actions.changeSelected())

const mergeSelected = onDemand(() => import('../duplicates/duplicates.js'), ({ openMerge }) => openMerge(selectedRows()))

/** The bar. */
export function selectionView () {
  const { total, next, items, shown } = state.list
  const { isAll } = state.selected
  const selected = selectedTotal()
  const isEverything = isAll || (!next && selected.count === items.length)
  const all = next ? total : { count: items.length }
  return html`<div class="toolbar selection" role="group" aria-label=${t('selection.label')}>
    <button class="icon" type="button" aria-label=${t('selection.clear')} @click=${clearSelection}>${icon('close')}</button>
    <p role="status">${t(selected.more ? 'selection.countOrMore' : 'selection.count', { count: selected.count })}</p>
    ${isEverything
      ? nothing
      : button(rich(shown?.trim() ? 'selection.all' : 'selection.allRows', {
        total: all ? `${count(all.count)}${all.more ? '+' : ''}` : '', label: words => html`<span class="label">${words}</span>`
      }), selectAll, 'link')}
    ${button(t('menu.export'), exportSelected)}
    ${may('write') ? button(t('selection.change'), changeSelected) : nothing}
    ${selected.count === 2 && !isAll && may('write') && may('delete') ? button(t('selection.merge'), mergeSelected) : nothing}
    ${may('delete') ? button(t('menu.remove'), removeSelected, 'danger') : nothing}
  </div>`
}
