// Removing or changing the selected customers: what the user is asked before.
import { rich, t, toAsciiDigits } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { isSure } from '../parts/dialog.js'
import { runJob } from '../parts/job.js'
import { warn } from '../parts/messages.js'
import { moreView } from '../parts/parts.js'
import { doubtsOf, labels, nameOf, refusalOf } from '../register.js'
import { may, state, update } from '../state.js'
import { bulk } from './bulk.js'
import { isConnected, removeOne } from './remove.js'
import { selectedPages, selectedTotal } from './selection.js'

/** The most customers to change at once. A larger selection is probably a mistake. */
const MAX_CHANGED = 10_000
const MAX_LISTED = 5
/** Fields that many customers can share. */
const fields = ['customeraddress', 'customerage']

/** Removes the selected customers, if the user confirms. */
export async function removeSelected () {
  const chosen = await readChosen()
  if (!chosen) return
  if (chosen.length === 1) return removeOne(chosen[0])
  const body = html`${listView(chosen)}<p>${noteOn(chosen)} ${t('remove.undoableMany')}</p>`
  const yes = t('remove.yesMany', { count: chosen.length })
  if (await isSure({ title: t('remove.questionMany', { count: chosen.length }), body, yes })) await bulk('remove', chosen)
}

/** Changes a field of the selected customers to the value that the user types. */
export async function changeSelected () {
  const chosen = await readChosen()
  if (!chosen) return
  const input = { field: fields[0], value: '' }
  const title = t('change.question', { count: chosen.length })
  const yes = t('change.yesMany', { count: chosen.length })
  if (!await isSure({ title, body: () => changeView(chosen, input), yes, kind: 'primary' })) return
  const { field, value } = input
  await bulk('change', chosen, { [field]: field === 'customerage' ? Number(value) : value })
}

function changeView (chosen, input) {
  const { field, value } = input
  const set = changes => update(Object.assign(input, changes) && {})
  const isAge = field === 'customerage'
  const doubts = isAge && value ? doubtsOf({ customerage: Number(value) }) : []
  return html`<div class="columns"><div class="field"><label for="change-field">${t('change.field')}</label>
      <select id="change-field" autofocus @change=${({ target }) => set({ field: target.value })}>
        ${fields.map(name => html`<option value=${name} .selected=${live(name === field)}>${labels[name]}</option>`)}</select></div>
    <div class="field"><label for="change-value">${t('change.value')}</label>
      <input id="change-value" autocomplete="off" required pattern=${isAge ? '-?[0-9]{1,9}' : '.*\\S.*'}
        inputmode=${isAge ? 'numeric' : 'text'} aria-describedby="change-note" .value=${live(value)} @keydown=${confirm}
        @input=${({ target }) => set({ value: isAge ? toAsciiDigits(target.value) : target.value })}></div></div>
    <p id="change-note">${doubts.join(' ')} ${noteOn(chosen)} ${may('delete') ? t('remove.undoableMany') : nothing}</p>`
}

/** Enter confirms: without this, it would press the first button, which cancels. */
function confirm (event) {
  if (event.key !== 'Enter') return
  event.preventDefault()
  event.target.form.requestSubmit(event.target.form.querySelector('[value=yes]'))
}

function listView (chosen) {
  return html`<ul class="lines">${chosen.slice(0, MAX_LISTED).map(it => html`<li><b><bdi>${nameOf(it)}</bdi></b>
      <span>${rich('customer.numberAndAddress', { number: it.customerid, address: it.customeraddress })}</span></li>`)}</ul>
    ${moreView(chosen.length - MAX_LISTED)}`
}

/** How many more or fewer there are than when the user selected all. */
function noteOn ({ length }) {
  const { counted, ids } = state.selected
  const added = counted && !counted.more ? length - (counted.count - ids.size) : 0
  return added === 0 ? '' : t(added > 0 ? 'selection.more' : 'selection.fewer', { count: Math.abs(added) })
}

/**
 * All selected customers. They are read before the question, which states their exact number: a customer that matches or changes
 * later is not changed. Null if they cannot be read, or are too many: a message says why.
 */
async function readChosen () {
  if (!isConnected()) return null
  const { count: expected, more } = selectedTotal()
  if (expected > MAX_CHANGED || (more && expected === MAX_CHANGED)) return tooMany()
  const chosen = await runJob(t('selection.reading'), more ? undefined : expected, readSelected)
  return chosen?.length ? chosen : null
}

async function readSelected (job) {
  const chosen = []
  try {
    for await (const page of selectedPages(job)) {
      chosen.push(...page)
      job.advance(page.length)
      if (chosen.length > MAX_CHANGED) return tooMany()
    }
    return chosen
  } catch (error) {
    if (!job.signal.aborted) warn(t('failure', { what: t('selection.notRead'), why: refusalOf(error).sentence }))
    return null
  }
}

function tooMany () {
  warn(t('selection.tooMany', { count: MAX_CHANGED }), { detail: t('selection.narrow') })
  return null
}
