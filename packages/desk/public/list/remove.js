// Removing customers, one or thousands, and restoring those that the removal removed.
import { html, nothing } from '../lit/lit-html.js'
import * as drafts from '../panel/drafts.js'
import { isSure } from '../parts/dialog.js'
import { runJob } from '../parts/job.js'
import { say, warn } from '../parts/messages.js'
import { count, customersOf } from '../parts/parts.js'
import { customers, differences, labels, nameOf, reasonOf } from '../register.js'
import { state, updateIn } from '../state.js'
import { lastChangeOf, refresh } from './list.js'
import { deselect } from './selection.js'
import { focusRow } from './table.js'

/** Why nothing can be removed now. Unlike a save, a removal does not wait: undoing it takes a connection too. */
export const noRemoval = { title: 'You\'re offline.', text: 'You can remove customers when you\'re back online.' }

const MAX_CONCURRENT = 4
const MAX_LISTED = 5

/**
 * Removes customers, if the user confirms. `note` is added to the question.
 * @returns {Promise<boolean>} whether the user did, and is still signed in
 */
export async function removeAll (chosen, note = '') {
  if (state.away === 'network') {
    warn(`${noRemoval.title} ${noRemoval.text}`)
    return false
  }
  if (!await isSure(questionAbout(chosen, note))) return false
  if (chosen.length > 1) await deselect()
  const outcomes = await each('Removing', chosen, remove)
  if (!state.session) {
    reportEnd('Removed', outcomes, chosen)
    return false
  }
  // Someone else has already removed some: that is fine, and is not undone here.
  const isGone = ({ error }) => !error || error.kind === 'customer-unknown'
  // Without a response, the customer might have been removed.
  const undoable = outcomes.filter(({ error }) => !error || error.status === undefined)
  const addBack = undoable.length > 0 && await isRecorded(undoable[0]) ? restore : registerAgain
  for (const { customerid } of outcomes.filter(isGone)) drafts.drop(customerid)
  await refreshAndFocus()
  report('remove', chosen, outcomes, { isDone: isGone, action: undoable.length > 0 && { label: 'Undo', run: () => putBack(undoable, addBack) } })
  return true
}

/** Restores a removed customer. */
export const bringBack = removed => putBack([removed], restore)

async function putBack (removed, addBack) {
  const outcomes = await each('Restoring', removed, addBack)
  if (!state.session) return reportEnd('Restored', outcomes, removed)
  await refreshAndFocus()
  const tried = new Set(outcomes.map(({ customerid }) => customerid))
  const rest = removed.filter(({ customerid }) => !tried.has(customerid))
  report('restore', removed, outcomes, { action: rest.length > 0 && { label: 'Restore the rest', run: () => putBack(rest, addBack) } })
}

/** Reloads the rows. If the element that had the focus is gone, a row gets it. */
export async function refreshAndFocus () {
  await refresh()
  if (document.activeElement === document.body) focusRow(state.active)
}

/** The session has ended: its message also says how many customers were removed or restored before. */
function reportEnd (verb, outcomes, chosen) {
  const done = outcomes.filter(({ error }) => !error)
  updateIn('message', { detail: `${verb} ${count(done.length)} of ${customersOf(chosen.length)}.` })
}

/** Says how many customers were removed or restored, and why the others were not. */
function report (verb, chosen, outcomes, { isDone = ({ error }) => !error, action }) {
  const done = outcomes.filter(isDone)
  const refused = outcomes.filter(outcome => !isDone(outcome))
  const rest = done.length < chosen.length && chosen.length > 1 ? `${count(done.length)} of ` : ''
  const title = done.length === 0 && refused.length > 0
    ? `Couldn't ${verb} ${whoIs(chosen)}.`
    : `${outcomes.length < chosen.length ? 'Stopped. ' : ''}${verb === 'remove' ? 'Removed' : 'Restored'} ${rest}${whoIs(chosen)}.`
  const options = { action: action || undefined, lasts: chosen.length > 1 ? 'minute' : undefined }
  if (refused.length === 0) return say(title, options)
  const reasons = Map.groupBy(refused, ({ error }) => error.status === 404 ? 'Erased by someone else' : reasonOf(error))
  const detail = [...reasons].map(([reason, { length }]) => chosen.length > 1 ? `${reason}: ${count(length)}.` : `${reason}.`).join(' ')
  warn(title, { ...options, detail })
}

function questionAbout (chosen, note) {
  const rest = chosen.length - MAX_LISTED
  return {
    title: `Remove ${whoIs(chosen)}?`,
    body: html`<ul class="lines">${chosen.slice(0, MAX_LISTED).map(it =>
      html`<li>${chosen.length > 1 ? html`<b>${nameOf(it)}</b>` : nothing}<span>Number ${it.customerid}, ${it.customeraddress}</span></li>`)}</ul>
      <p>${rest > 0 ? `And ${count(rest)} more. ` : ''}${note} You can undo this for ${chosen.length > 1 ? 'a minute' : 'ten seconds'}.</p>`,
    yes: chosen.length === 1 ? 'Remove' : `Remove ${count(chosen.length)}`
  }
}

const whoIs = chosen => chosen.length === 1 ? nameOf(chosen[0]) : customersOf(chosen.length)

async function remove (customer, options) {
  const { customerid, etag } = customer
  try {
    await customers.remove(customerid, { ifMatch: etag, ...options })
  } catch (error) {
    if (error.kind !== 'customer-unknown' || !await isRemovedByUser(customer)) throw error
  }
}

/** Whether this user removed the customer, but the response was lost. */
async function isRemovedByUser ({ customerid, etag }) {
  const last = await lastChangeOf(customerid)
  return last?.kind === 'removed' && last.sub === state.session?.sub && etag === `"${last.version}-json"`
}

/** Whether the register keeps a history, even of removed customers. */
const isRecorded = ({ customerid }) => lastChangeOf(customerid).then(Boolean)

/** Adds a removed customer again, as it was. Fails if it was erased in the meantime, or the number is in use. */
export async function restore (customer, options) {
  const { customerid, etag, version = Number(/\d+/.exec(etag)), error } = customer
  if (error && !await isRemovedByUser(customer)) return
  await unlessThere(customer, customers.restore(customerid, version, { ifMatch: '*', ...options }))
}

const registerAgain = (customer, options) => unlessThere(customer, customers.register(valuesIn(customer), options))

const valuesIn = customer => Object.fromEntries(Object.keys(labels).map(name => [name, customer[name]]))

/** Ignores a conflict with the customer itself: an earlier attempt added it back, but its response was lost. */
const unlessThere = (customer, request) => request.catch(async error => {
  const now = error.status === 409 ? await customers.read(customer.customerid).catch(() => null) : null
  if (!now || differences(now, customer).length > 0) throw error
})

/** Calls `work` for every customer, several at a time. @returns those tried, with the `error` of those that failed */
async function each (doing, chosen, work) {
  const outcomeOf = async (customer, promise) => await promise.then(() => customer, error => ({ ...customer, error }))
  if (chosen.length === 1) return [await outcomeOf(chosen[0], work(chosen[0]))]
  const outcomes = []
  await runJob(`${doing} ${customersOf(chosen.length)}`, chosen.length, async ({ signal, advance, persist }) => {
    const waiting = chosen.values()
    const worker = async () => {
      for (const customer of waiting) {
        outcomes.push(await outcomeOf(customer, persist(() => work(customer, { retries: 0 }))))
        advance()
        if (signal.aborted) return
      }
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  })
  return outcomes
}
