// The bar for the selection, in the place of the search, and its bulk actions.
import { html, nothing } from '../lit/lit-html.js'
import { exportSelected } from '../files/export.js'
import { runJob } from '../parts/job.js'
import { warn } from '../parts/messages.js'
import { button, count, customersOf, icon } from '../parts/parts.js'
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
  return html`<div class="toolbar selection" role="group" aria-label="Selected customers">
    <button class="icon" type="button" aria-label="Clear the selection" @click=${clearSelection}>${icon('close')}</button>
    <p role="status">${numberOf(selected)} selected</p>
    ${isEverything
      ? nothing
      : button(html`Select all ${all ? numberOf(all) : nothing}${shown?.trim() ? html`<span class="label"> that match</span>` : nothing}`, selectAll, 'link')}
    ${button('Export as CSV', exportSelected)}
    ${may('delete') ? button('Remove…', removeSelected, 'danger') : nothing}
  </div>`
}

const numberOf = ({ count: number, more }) => `${count(number)}${more ? '+' : ''}`

/**
 * Removes the selected customers. Reads all of them first, so that the question states their exact number, and a customer
 * that matches or changes later is not removed.
 */
export async function removeSelected () {
  const { count: expected, more } = selectedTotal()
  const { counted, ids } = state.selected
  if (expected > MAX_REMOVED || (more && expected === MAX_REMOVED)) return tooMany()
  const chosen = await runJob('Reading the selection', more ? undefined : expected, readSelected)
  if (!chosen?.length) return
  const added = counted && !counted.more ? chosen.length - (counted.count - ids.size) : 0
  await removeAll(chosen, added === 0 ? '' : `${count(Math.abs(added))} ${added > 0 ? 'more' : 'fewer'} than when you selected all.`)
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
    if (!job.signal.aborted) warn(`Couldn't read the selection. ${refusalOf(error).sentence}`)
    return null
  }
}

function tooMany () {
  warn(`You can remove at most ${customersOf(MAX_REMOVED)} at once.`, { detail: 'Nothing was removed. Narrow the search, then try again.' })
  return null
}
