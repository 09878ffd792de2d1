// Removing or changing the selected customers, in requests of many, and undoing them.
import { whyNot } from '../files/undo.js'
import { count, list, t } from '../language.js'
import * as drafts from '../panel/drafts.js'
import { runJob } from '../parts/job.js'
import { say, warn } from '../parts/messages.js'
import { customers, nameOf, recordOf, refusalOf } from '../register.js'
import { may, state, updateIn } from '../state.js'
import { refreshAndFocus } from './remove.js'
import { deselect } from './selection.js'

/** The most customers of a request. */
const MAX_REQUEST = 1_000
const MAX_NAMED = 3
/** Maximum customers whose history is read after a lost response. */
const MAX_LOOKED_UP = 5

/**
 * Sends the changes, and says what happened. Customers that someone else changed meanwhile stay as they are.
 * @param {'remove' | 'change'} verb
 * @param {any[]} chosen
 * @param {object} [changed] the values of a change
 */
export async function bulk (verb, chosen, changed) {
  await deselect()
  const result = await runJob(t(`${verb}.running`, { count: chosen.length }), chosen.length, job => sendAll(verb, chosen, changed, job))
  if (!result) return
  const { done, failures, operations } = result
  const outcome = t(`${verb}.donePartly`, { done: count(done.length), count: chosen.length })
  // The session has ended: its message also says how many were changed before.
  if (!state.session) return updateIn('message', { detail: outcome })
  if (verb === 'remove') for (const { customerid } of done) drafts.drop(customerid)
  await refreshAndFocus()
  const undo = undoOf(verb, done, operations)
  const isStopped = done.length + failures.length < chosen.length
  const title = done.length === chosen.length ? t(`${verb}.doneMany`, { count: done.length }) : outcome
  report(isStopped ? t('failure', { what: t('job.stopped'), why: title }) : title, failures, undo && { label: t('undo'), run: undo })
}

/** @returns the customers that are as wanted, those that are not, with the `reason`, and the operations to undo */
async function sendAll (verb, chosen, changed, { signal, advance, persist }) {
  const [done, failures, operations] = [[], [], []]
  for (let start = 0; start < chosen.length && !signal.aborted; start += MAX_REQUEST) {
    const part = chosen.slice(start, start + MAX_REQUEST)
    const { operation, failed = [], error } = await persist(attemptOf(verb, part, changed)).catch(error => ({ error }))
    // Stopped while the service was unavailable.
    if (error && signal.aborted) break
    // Someone else has already removed some: that is fine, and is not undone here.
    const refused = failed.filter(({ reason }) => verb === 'change' || reason !== 'unknown')
    const reasons = new Map(refused.map(({ customerid, reason }) => [customerid, whyNot(reason)]))
    for (const customer of part) {
      const reason = error ? whyRefused(error) : reasons.get(customer.customerid)
      if (reason) failures.push({ customer, reason })
      else done.push(customer)
    }
    if (operation) operations.push(operation)
    advance(part.length)
  }
  return { done, failures, operations }
}

/** What is wrong with the new value, or else why the service refused. */
const whyRefused = error => Object.values(refusalOf(error).errors)[0] ?? refusalOf(error).title

/** A request that can be sent again. After a lost response, it looks for the operation: the changes are in one transaction. */
function attemptOf (verb, part, changed) {
  const ids = part.map(({ customerid }) => customerid)
  const etags = part.map(({ etag }) => etag)
  let isUncertain = false
  return async () => {
    const operation = isUncertain ? await lostOperation(verb, part) : undefined
    // Changed customers have other versions now: sent again, all would fail.
    if (operation && verb === 'change') return { operation }
    isUncertain = true
    const report = await customers.bulk(verb === 'remove' ? { remove: ids, etags } : { change: changed, customers: ids, etags })
    return { operation, ...report }
  }
}

/** The operation whose response was lost: this user's last change of the versions that were sent. */
async function lostOperation (verb, part) {
  for (const { customerid, etag } of part.slice(0, MAX_LOOKED_UP)) {
    const { items: [last] } = await customers.history(customerid, { limit: 1 }).catch(error => {
      if (error.status === 404) return { items: [] }
      throw error
    })
    const version = Number(/\d+/.exec(etag)) + (verb === 'change' ? 1 : 0)
    if (last?.operation && last.version === version && last.sub === state.session.sub) return last.operation
  }
}

function report (title, failures, action) {
  const options = { action: action || undefined, lasts: 'minute' }
  if (failures.length === 0) return say(title, options)
  warn(title, { ...options, detail: detailOf(failures) })
}

/** For each reason, the first customers, and how many more. */
function detailOf (failures) {
  const reasons = Map.groupBy(failures, ({ reason }) => reason)
  return Array.from(reasons, ([reason, found]) => {
    const names = found.flatMap(({ customer }) => customer ? [nameOf(customer)] : []).slice(0, MAX_NAMED)
    if (names.length === 0) return t('reason.sentence', { reason })
    const named = t('reason.of', { reason, names: list(names) })
    return found.length > names.length ? `${named} ${t('moreItems', { count: found.length - names.length })}` : named
  }).join(' ')
}

/** How to undo what was done: without a history, only removed customers can be added again. */
function undoOf (verb, done, operations) {
  if (operations.length > 0) return may('delete') ? () => undoAll(operations, done) : undefined
  if (verb === 'remove' && done.length > 0) return () => undoAll([null], done)
}

async function undoAll (operations, done) {
  const byId = new Map(done.map(customer => [customer.customerid, customer]))
  const rest = [...operations]
  const failures = []
  let undone = 0
  await runJob(t('undo.running'), done.length, async ({ signal, advance, persist }) => {
    while (rest.length > 0 && !signal.aborted) {
      try {
        const { reverted, skipped, reasons } = await persist(() => rest[0] === null ? addAgain(done) : customers.undo(rest[0]))
        undone += reverted
        failures.push(...reasons.map(({ customerid, reason }) => ({ customer: byId.get(customerid), reason: whyNot(reason) })))
        advance(reverted + skipped)
      } catch (error) {
        if (!signal.aborted) failures.push({ reason: refusalOf(error).title })
        return
      }
      rest.shift()
    }
  })
  if (!state.session) return
  await refreshAndFocus()
  const again = rest.length > 0 && { label: t('undo'), run: () => undoAll(rest, done) }
  report(t(undone > 0 ? 'undo.done' : 'saved.notUndone', { count: undone }), failures, again)
}

/** Without a history, removed customers are registered again. */
async function addAgain (removed) {
  const lines = removed.map(customer => JSON.stringify(recordOf(customer)))
  const { registered, failed, errors } = await customers.import(lines.join('\n'), 'application/x-ndjson')
  return { reverted: registered, skipped: failed, reasons: errors.map(({ customerid }) => ({ customerid, reason: 'registered again' })) }
}
