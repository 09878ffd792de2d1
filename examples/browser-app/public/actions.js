// Adding, changing and removing customers, and undoing each at the server: nothing that another person did is undone with it.
import { isSure } from './dialog.js'
import * as drafts from './drafts.js'
import { html, nothing } from './lit/lit-html.js'
import { refresh } from './list.js'
import { say, warn } from './messages.js'
import { customersOf } from './parts.js'
import { customers, differences, labels, nameOf, refusalOf } from './register.js'
import { state, update } from './state.js'
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

/** Changes fields of a customer, or restores those of a version. Refused with 412 if it has changed since it was read. */
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
    // With the old ETag, the service refuses: another person has changed the customer.
    await customers.change(customerid, old, { ifMatch: isAsLeft ? etag : ifMatch })
  }
  say(`Saved ${name}.`, { action: undo(changeBack, `Undid the changes to ${nameOf(before)}.`) })
}

/** Removes customers, if the person is sure. @returns {Promise<boolean>} whether the person was */
export async function removeAll (chosen) {
  if (!await isSure(questionAbout(chosen))) return false
  const addBack = await isRecorded(chosen[0]) ? restore : registerAgain
  const outcomes = await each(chosen, remove)
  // Another person has removed some, which is what was wanted, and is not undone here.
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

/** Restores a customer that was removed. */
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

/** Whether the register keeps a history, also of a customer that is removed. */
const isRecorded = ({ customerid }) => customers.history(customerid, { limit: 1 }).then(({ items }) => items.length > 0, () => false)

/** Refused if the customer was erased meanwhile, or the number is taken. */
const restore = ({ customerid, etag, version = Number(/\d+/.exec(etag)) }) => customers.restore(customerid, version, { ifMatch: '*' })

const registerAgain = customer => customers.register(Object.fromEntries(Object.keys(labels).map(name => [name, customer[name]])))

/** Calls `work` for every customer, some at once. @returns the customers, those it failed for with the `error` */
async function each (chosen, work) {
  const [outcomes, waiting] = [[], chosen.values()]
  const worker = async () => {
    for (const customer of waiting) outcomes.push(await work(customer).then(() => customer, error => ({ ...customer, error })))
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  return outcomes
}

const whoIs = chosen => chosen.length === 1 ? nameOf(chosen[0]) : customersOf(chosen.length)

/** Why something that this person saw cannot be changed any more. */
function whyNot (error) {
  const { status, sentence } = refusalOf(error)
  const reasons = { 404: 'Someone else removed it.', 409: 'The number is in use again.', 412: 'Someone else changed it.' }
  return reasons[status] ?? sentence
}

/** The action of a message that undoes something, and then says what came of it. */
const undo = (work, title) => ({
  label: 'Undo',
  run: async () => {
    const failure = await work().then(() => null, whyNot)
    await refresh()
    // The button of the message is gone.
    if (document.activeElement === document.body) focusRow(state.active)
    if (failure === null) say(title)
    else warn(`Couldn't undo this. ${failure}`)
  }
})
