// The bar for the selection, in the place of the search, and its bulk actions.
import { count, rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { exportSelected } from '../files/export.js'
import { runJob } from '../parts/job.js'
import { warn } from '../parts/messages.js'
import { button, icon } from '../parts/parts.js'
import { refusalOf } from '../register.js'
import { may, state } from '../state.js'
import { removeAll } from './remove.js'
import { clearSelection, selectAll, selectedPages, selectedTotal } from './selection.js'

/** The most customers to remove at once. A larger selection is probably a mistake. */
const MAX_REMOVED = 10_000

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
    ${may('delete') ? button(t('menu.remove'), removeSelected, 'danger') : nothing}
  </div>`
}

/**
 * Removes the selected customers. Reads all of them first, so that the question states their exact number, and a customer
 * that matches or changes later is not removed.
 */
export async function removeSelected () {
  const { count: expected, more } = selectedTotal()
  const { counted, ids } = state.selected
  if (expected > MAX_REMOVED || (more && expected === MAX_REMOVED)) return tooMany()
  const chosen = await runJob(t('selection.reading'), more ? undefined : expected, readSelected)
  if (!chosen?.length) return
  const added = counted && !counted.more ? chosen.length - (counted.count - ids.size) : 0
  await removeAll(chosen, added === 0 ? '' : t(added > 0 ? 'selection.more' : 'selection.fewer', { count: Math.abs(added) }))
}

/** All selected customers, or null: a message says why. */
async function readSelected (job) {
  const chosen = []
  try {
    for await (const page of selectedPages(job)) {
      chosen.push(...page)
      job.advance(page.length)
      if (chosen.length > MAX_REMOVED) return tooMany()
    }
    return chosen
  } catch (error) {
    if (!job.signal.aborted) warn(t('failure', { what: t('selection.notRead'), why: refusalOf(error).sentence }))
    return null
  }
}

function tooMany () {
  warn(t('selection.tooMany', { count: MAX_REMOVED }), { detail: t('selection.narrow') })
  return null
}
