// Adding, changing and removing customers, and undoing each at the server: nothing that another person did is undone with it.
import { isSure } from './ask.js'
import { download, toCsv } from './csv.js'
import { CustomerNetworkError } from './customer-client.js'
import * as drafts from './drafts.js'
import { refresh, replace } from './list.js'
import { say, warn } from './messages.js'
import { refusalOf } from './refusal.js'
import { customers, end } from './session.js'
import { state, update } from './state.js'
import { focusRow } from './table.js'

const names = ['customername', 'customerage', 'customeraddress']
/** Requests at the same time when several customers are removed or added. */
const AT_ONCE = 4
/** Names that a question lists. */
const LISTED = 5

/** Adds a customer. `key` identifies the attempt, so that a retry does not add it twice. */
export async function add (customer, key) {
  await customers.register(customer, { idempotencyKey: key })
  const added = await unlessChanged(customer.customerid, customer)
  say(`${customer.customername} is added.`, { action: added && undo(() => remove(added), `${customer.customername} is removed again.`) })
  await refresh()
}

/** Changes fields of a customer, or restores those of a version. Refused with 412 if it has changed since it was read. */
export async function change (before, changes, version) {
  const ifMatch = before.etag
  if (version === undefined) await customers.change(before.customerid, changes, { ifMatch })
  else await customers.restore(before.customerid, version, { ifMatch })
  const after = await unlessChanged(before.customerid, { ...before, ...changes })
  const old = Object.fromEntries(Object.keys(changes).map(name => [name, before[name]]))
  say(`${changes.customername ?? before.customername} is changed.`, {
    action: after && undo(() => customers.change(after.customerid, old, { ifMatch: after.etag }), `${before.customername} is as before.`)
  })
  if (after) replace(after)
  else await refresh()
}

/** Reads a customer after a write; undefined if another person was quicker, since then there is nothing to undo. */
async function unlessChanged (id, expected) {
  const found = await customers.read(id).catch(() => undefined)
  if (found && names.every(name => String(found[name]) === String(expected[name]))) return found
}

/** Removes customers, if the person is sure. @returns {Promise<boolean>} whether the person was */
export async function removeAll (chosen) {
  const [{ customerid, customername, customeraddress }] = chosen
  const rest = chosen.length - LISTED
  const sure = await isSure(chosen.length === 1
    ? {
        title: `Remove ${customername}?`,
        text: `Number ${customerid}, ${customeraddress}. You can undo this for ten seconds.`,
        yes: 'Remove'
      }
    : {
        title: `Remove ${chosen.length} customers?`,
        lines: [...chosen.slice(0, LISTED).map(({ customername }) => customername), ...(rest > 0 ? [`and ${rest} more`] : [])],
        text: 'You can undo this for ten seconds.',
        yes: `Remove ${chosen.length}`
      })
  if (!sure) return false
  const { done, refused } = await each(chosen, remove)
  if (state.session === null) return true
  for (const { customerid } of done) drafts.drop(customerid)
  const title = done.length === 1 ? `${done[0].customername} is removed.` : `${done.length} customers are removed.`
  const action = undo(() => addAgain(done), done.length === 1 ? `${done[0].customername} is back.` : `${done.length} customers are back.`)
  if (refused.length === 0) say(title, { action })
  else warn(describe(refused, 'removed'), { detail: done.length > 0 ? title : undefined, action: done.length > 0 ? action : undefined })
  update({ selected: new Set() })
  await refresh()
  focusRow(state.active)
  return true
}

async function remove ({ customerid, etag }) {
  await customers.remove(customerid, { ifMatch: etag }).catch(error => {
    // Another person has removed it, which is what was wanted.
    if (error.status !== 404) throw error
  })
}

async function addAgain (removed) {
  const { refused } = await each(removed, ({ customerid, customername, customerage, customeraddress }) =>
    customers.register({ customerid, customername, customerage, customeraddress }))
  if (refused.length > 0) throw refused[0].error
}

/** Calls `work` for every customer, some at once. */
async function each (chosen, work) {
  const [done, refused] = [[], []]
  const waiting = [...chosen]
  const next = async () => {
    for (let customer = waiting.shift(); customer; customer = waiting.shift()) {
      await work(customer).then(() => done.push(customer), error => {
        refused.push({ customer, refusal: refusalOf(error), error })
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  const expired = refused.find(({ refusal }) => refusal.status === 401)
  if (expired) end(expired.refusal.sentence)
  return { done, refused }
}

function describe (refused, done) {
  const [{ customer, refusal: { status, sentence } }] = refused
  const why = status === 412 ? 'It was changed meanwhile. Look at it, and try again.' : sentence
  return refused.length === 1
    ? `${customer.customername} is not ${done}. ${why}`
    : `${refused.length} customers are not ${done}, ${customer.customername} for example. ${why}`
}

/** The action of a message that undoes something, and then says what came of it. */
function undo (work, title) {
  return {
    label: 'Undo',
    run: async () => {
      try {
        await work()
        say(title)
      } catch (error) {
        const { status, sentence } = refusalOf(error)
        if (status === 401) return end(sentence)
        const why = { 409: 'The number is taken again.', 412: 'It was changed meanwhile.' }[status]
        warn(`This could not be undone. ${why ?? sentence}`)
      }
      await refresh()
    }
  }
}

/** Has the browser save customers as a file. */
export function exportCsv (chosen) {
  download(toCsv(chosen))
  say(chosen.length === 1 ? `${chosen[0].customername} is exported.` : `${chosen.length} customers are exported.`)
}

/** Has the browser save all customers as a file. */
export async function exportAll () {
  say('Exporting all customers…')
  try {
    const stream = await customers.export('text/csv')
    download(await new Response(stream).blob().catch(cause => { throw new CustomerNetworkError('The export broke off', 1, cause) }))
    say('All customers are exported.')
  } catch (error) {
    const { status, sentence } = refusalOf(error)
    if (status === 401) end(sentence)
    else warn(`The customers are not exported. ${sentence}`)
  }
}
