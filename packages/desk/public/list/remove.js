// Removing customers, one or thousands, and restoring those that the removal removed.
import { count, rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import * as drafts from '../panel/drafts.js'
import { isSure } from '../parts/dialog.js'
import { runJob } from '../parts/job.js'
import { say, warn } from '../parts/messages.js'
import { customers, differences, labels, nameOf, reasonOf } from '../register.js'
import { state, updateIn } from '../state.js'
import { lastChangeOf, refresh } from './list.js'
import { deselect } from './selection.js'
import { focusRow } from './table.js'

/** Why nothing can be removed now. Unlike a save, a removal does not wait: undoing it takes a connection too. */
export const noRemoval = { title: t('remove.offline'), text: t('remove.whenOnline') }

const MAX_CONCURRENT = 4
const MAX_LISTED = 5

/**
 * Removes customers, if the user confirms. `note` is added to the question.
 * @returns {Promise<boolean>} whether the user did, and is still signed in
 */
export async function removeAll (chosen, note = '') {
  if (state.away === 'network') {
    warn(t('failure', { what: noRemoval.title, why: noRemoval.text }))
    return false
  }
  if (!await isSure(questionAbout(chosen, note))) return false
  if (chosen.length > 1) await deselect()
  const outcomes = await each('remove', chosen, remove)
  if (!state.session) {
    reportEnd('remove', outcomes, chosen)
    return false
  }
  // Someone else has already removed some: that is fine, and is not undone here.
  const isGone = ({ error }) => !error || error.kind === 'customer-unknown'
  // Without a response, the customer might have been removed.
  const undoable = outcomes.filter(({ error }) => !error || error.status === undefined)
  const addBack = undoable.length > 0 && await isRecorded(undoable[0]) ? restore : registerAgain
  for (const { customerid } of outcomes.filter(isGone)) drafts.drop(customerid)
  await refreshAndFocus()
  report('remove', chosen, outcomes, { isDone: isGone, action: undoable.length > 0 && { label: t('undo'), run: () => putBack(undoable, addBack) } })
  return true
}

/** Restores a removed customer. */
export const bringBack = removed => putBack([removed], restore)

async function putBack (removed, addBack) {
  const outcomes = await each('restore', removed, addBack)
  if (!state.session) return reportEnd('restore', outcomes, removed)
  await refreshAndFocus()
  const tried = new Set(outcomes.map(({ customerid }) => customerid))
  const rest = removed.filter(({ customerid }) => !tried.has(customerid))
  report('restore', removed, outcomes, { action: rest.length > 0 && { label: t('restore.rest'), run: () => putBack(rest, addBack) } })
}

/** Reloads the rows. If the element that had the focus is gone, a row gets it. */
export async function refreshAndFocus () {
  await refresh()
  if (document.activeElement === document.body) focusRow(state.active)
}

/**
 * The session has ended: its message also says how many customers were removed or restored before.
 * @param {'remove' | 'restore'} verb
 */
function reportEnd (verb, outcomes, chosen) {
  const done = outcomes.filter(({ error }) => !error)
  updateIn('message', { detail: t(`${verb}.donePartly`, { done: count(done.length), count: chosen.length }) })
}

/**
 * Says how many customers were removed or restored, and why the others were not.
 * @param {'remove' | 'restore'} verb
 */
function report (verb, chosen, outcomes, { isDone = ({ error }) => !error, action }) {
  const done = outcomes.filter(isDone)
  const refused = outcomes.filter(outcome => !isDone(outcome))
  const outcome = outcomeOf(verb, chosen, done.length, refused.length)
  const title = outcomes.length < chosen.length ? t('failure', { what: t('job.stopped'), why: outcome }) : outcome
  const options = { action: action || undefined, lasts: chosen.length > 1 ? 'minute' : undefined }
  if (refused.length === 0) return say(title, options)
  const reasons = Map.groupBy(refused, ({ error }) => error.status === 404 ? t('reason.erased') : reasonOf(error))
  const detail = [...reasons].map(([reason, { length }]) => chosen.length > 1
    ? t('reason.count', { reason, number: count(length) })
    : t('reason.sentence', { reason })).join(' ')
  warn(title, { ...options, detail })
}

/**
 * What was done: to one customer, to many, or to a part of them.
 * @param {'remove' | 'restore'} verb
 */
function outcomeOf (verb, chosen, done, refused) {
  const isFailed = done === 0 && refused > 0
  if (chosen.length === 1) return t(isFailed ? `${verb}.failed` : `${verb}.done`, { name: nameOf(chosen[0]) })
  if (isFailed) return t(`${verb}.failedMany`, { count: chosen.length })
  return t(done < chosen.length ? `${verb}.donePartly` : `${verb}.doneMany`, { done: count(done), count: chosen.length })
}

function questionAbout (chosen, note) {
  const rest = chosen.length - MAX_LISTED
  const isOne = chosen.length === 1
  return {
    title: isOne ? t('remove.question', { name: nameOf(chosen[0]) }) : t('remove.questionMany', { count: chosen.length }),
    body: html`<ul class="lines">${chosen.slice(0, MAX_LISTED).map(it => html`<li>${isOne ? nothing : html`<b><bdi>${nameOf(it)}</bdi></b>`}
        <span>${rich('customer.numberAndAddress', { number: it.customerid, address: it.customeraddress })}</span></li>`)}</ul>
      <p>${rest > 0 ? `${t('moreItems', { count: rest })} ` : ''}${note} ${t(isOne ? 'remove.undoable' : 'remove.undoableMany')}</p>`,
    yes: isOne ? t('remove.yes') : t('remove.yesMany', { count: chosen.length })
  }
}

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

/**
 * Calls `work` for every customer, several at a time.
 * @returns those tried, with the `error` of those that failed
 * @param {'remove' | 'restore'} verb
 */
async function each (verb, chosen, work) {
  const tryOn = async (customer, promise) => await promise.then(() => customer, error => ({ ...customer, error }))
  if (chosen.length === 1) return [await tryOn(chosen[0], work(chosen[0]))]
  const outcomes = []
  await runJob(t(`${verb}.running`, { count: chosen.length }), chosen.length, async ({ signal, advance, persist }) => {
    const waiting = chosen.values()
    const worker = async () => {
      for (const customer of waiting) {
        outcomes.push(await tryOn(customer, persist(() => work(customer, { retries: 0 }))))
        advance()
        if (signal.aborted) return
      }
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  })
  return outcomes
}
