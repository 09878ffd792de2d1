// Adding, changing and removing customers, and undoing each on the server, without undoing others' changes.
import { isSure } from '../parts/dialog.js'
import * as drafts from '../panel/drafts.js'
import { html, nothing } from '../lit/lit-html.js'
import { refresh } from './list.js'
import { say, warn } from '../parts/messages.js'
import { customersOf } from '../parts/parts.js'
import { customers, differences, labels, nameOf, refusalOf } from '../register.js'
import { state, update } from '../state.js'
import { focusRow } from './table.js'

const MAX_CONCURRENT = 4
const MAX_LISTED = 5

/** Adds a customer. `key` identifies the attempt, so that a retry does not add it twice. */
export async function add (customer, key) {
  const { customerid } = customer
  const name = nameOf(customer)
  const { etag } = await customers.register(customer, { idempotencyKey: key })
  await refresh()
  say(`Added ${name}.`, { action: undo(() => remove({ customerid, etag }), `Removed ${name}.`) })
}

/** Changes a customer's fields, or restores those of a version. Fails with 412 if it has changed since it was read. */
export async function change (before, changes, version) {
  const { customerid, etag: ifMatch } = before
  const name = nameOf({ ...before, ...changes })
  if (version === undefined) await customers.change(customerid, changes, { ifMatch })
  else await customers.restore(customerid, version, { ifMatch })
  await refresh()
  const old = Object.fromEntries(Object.keys(changes).map(name => [name, before[name]]))
  const changeBack = async () => {
    const { etag, ...now } = await customers.read(customerid)
    const isAsLeft = differences(now, { ...before, ...changes }).length === 0
    // With the old ETag, the service refuses: someone else has changed the customer.
    await customers.change(customerid, old, { ifMatch: isAsLeft ? etag : ifMatch })
  }
  say(`Saved ${name}.`, { action: undo(changeBack, `Undid the changes to ${nameOf(before)}.`) })
}

/** Removes customers, if the user confirms. @returns {Promise<boolean>} whether the user did */
export async function removeAll (chosen) {
  if (!await isSure(questionAbout(chosen))) return false
  const addBack = await isRecorded(chosen[0]) ? restore : registerAgain
  const outcomes = await each(chosen, remove)
  // Someone else has already removed some: that is fine, and is not undone here.
  const gone = outcomes.filter(({ error }) => !error || error.kind === 'customer-unknown')
  const done = gone.filter(({ error }) => !error)
  const refused = outcomes.filter(it => !gone.includes(it))
  for (const { customerid } of gone) drafts.drop(customerid)
  const addAgain = async () => {
    const failed = (await each(done, addBack)).find(({ error }) => error)
    if (failed) throw failed.error
  }
  const action = done.length > 0 ? undo(addAgain, `Restored ${whoIs(done)}.`) : undefined
  const removed = gone.length > 0 ? `Removed ${whoIs(gone)}.` : undefined
  update({ selected: new Set() })
  await refresh()
  focusRow(state.active)
  if (refused.length === 0) say(removed, { action })
  else warn(`Couldn't remove ${whoIs(refused)}. ${whyNot(refused[0].error)}`, { detail: removed, action })
  return true
}

/** Restores a removed customer. */
export const bringBack = removed => undo(() => restore(removed), `Restored ${nameOf(removed)}.`).run()

function questionAbout (chosen) {
  const name = nameOf(chosen[0])
  const rest = chosen.length - MAX_LISTED
  return {
    title: `Remove ${chosen.length === 1 ? name : customersOf(chosen.length)}?`,
    body: html`<ul class="lines">${chosen.slice(0, MAX_LISTED).map(it =>
      html`<li>${chosen.length > 1 ? html`<b>${nameOf(it)}</b>` : nothing}<span>Number ${it.customerid}, ${it.customeraddress}</span></li>`)}</ul>
      <p>${rest > 0 ? `And ${rest} more. ` : ''}You can undo this for ten seconds.</p>`,
    yes: chosen.length === 1 ? 'Remove' : `Remove ${chosen.length}`
  }
}

const remove = ({ customerid, etag }) => customers.remove(customerid, { ifMatch: etag })

/** Whether the register keeps a history, even of removed customers. */
const isRecorded = ({ customerid }) => customers.history(customerid, { limit: 1 }).then(({ items }) => items.length > 0, () => false)

/** Fails if the customer was erased in the meantime, or the number is in use. */
const restore = ({ customerid, etag, version = Number(/\d+/.exec(etag)) }) => customers.restore(customerid, version, { ifMatch: '*' })

const registerAgain = customer => customers.register(Object.fromEntries(Object.keys(labels).map(name => [name, customer[name]])))

/** Calls `work` for every customer, several at a time. @returns the customers, with the `error` of those that failed */
async function each (chosen, work) {
  const [outcomes, waiting] = [[], chosen.values()]
  const worker = async () => {
    for (const customer of waiting) outcomes.push(await work(customer).then(() => customer, error => ({ ...customer, error })))
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  return outcomes
}

const whoIs = chosen => chosen.length === 1 ? nameOf(chosen[0]) : customersOf(chosen.length)

/** Why something that this user saw can no longer be changed. */
function whyNot (error) {
  const { status, sentence } = refusalOf(error)
  const reasons = { 404: 'Someone else removed it.', 409: 'The number is in use again.', 412: 'Someone else changed it.' }
  return reasons[status] ?? sentence
}

/** A message's Undo action, which then shows the result. */
const undo = (work, title) => ({
  label: 'Undo',
  run: async () => {
    const failure = await work().then(() => null, whyNot)
    await refresh()
    // The message's button no longer exists.
    if (document.activeElement === document.body) focusRow(state.active)
    if (failure === null) say(title)
    else warn(`Couldn't undo this. ${failure}`)
  }
})
