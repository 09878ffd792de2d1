// Removing a customer, and restoring one.
import { html } from '../lit/lit-html.js'
import { rich, t } from '../language.js'
import * as drafts from '../panel/drafts.js'
import { isSure } from '../parts/dialog.js'
import { say, warn } from '../parts/messages.js'
import { customers, differences, nameOf, reasonOf, recordOf } from '../register.js'
import { state } from '../state.js'
import { lastChangeOf, refresh } from './list.js'
import { focusRow } from './table.js'

/** Why nothing can be removed now. Unlike a save, a removal does not wait: undoing it takes a connection too. */
export const noRemoval = { title: t('remove.offline'), text: t('remove.whenOnline') }

/** Says so without a connection. @returns whether there is one */
export function isConnected () {
  if (state.away !== 'network') return true
  warn(t('failure', { what: noRemoval.title, why: noRemoval.text }))
  return false
}

/** Removes a customer, if the user confirms. @returns {Promise<boolean>} whether the user did, and is still signed in */
export async function removeOne (customer) {
  if (!isConnected() || !await isSure(questionAbout(customer))) return false
  const name = nameOf(customer)
  const error = await remove(customer).then(() => null, error => error)
  if (!state.session) return false
  // Without a response, the customer might have been removed.
  const isUndoable = !error || error.status === undefined
  const action = isUndoable ? { label: t('undo'), run: await undoOf({ ...customer, error }) } : undefined
  // Someone else may have removed it: that is fine, and is not undone here.
  const isGone = !error || error.kind === 'customer-unknown'
  if (isGone) drafts.drop(customer.customerid)
  await refreshAndFocus()
  if (isGone) say(t('remove.done', { name }), { action })
  else warn(t('remove.failed', { name }), { action, detail: t('reason.sentence', { reason: reasonOf(error) }) })
  return true
}

/** Restores a removed customer. */
export const bringBack = removed => putBack(removed, restore)

async function putBack (removed, addBack) {
  const name = nameOf(removed)
  const error = await addBack(removed).then(() => null, error => error)
  if (!state.session) return
  await refreshAndFocus()
  if (!error) return say(t('restore.done', { name }))
  const reason = error.status === 404 ? t('reason.erased') : reasonOf(error)
  warn(t('restore.failed', { name }), { detail: t('reason.sentence', { reason }) })
}

/** How to add a removed customer back: from its history, if the register keeps one. */
async function undoOf (customer) {
  const isRecorded = Boolean(await lastChangeOf(customer.customerid))
  return () => putBack(customer, isRecorded ? restore : registerAgain)
}

/** Reloads the rows. If the element that had the focus is gone, a row gets it. */
export async function refreshAndFocus () {
  await refresh()
  if (document.activeElement === document.body) focusRow(state.active)
}

function questionAbout (customer) {
  const { customerid, customeraddress } = customer
  return {
    title: t('remove.question', { name: nameOf(customer) }),
    body: html`<ul class="lines"><li><span>${rich('customer.numberAndAddress', { number: customerid, address: customeraddress })}</span></li></ul>
      <p>${t('remove.undoable')}</p>`,
    yes: t('remove.yes')
  }
}

async function remove (customer) {
  const { customerid, etag } = customer
  try {
    await customers.remove(customerid, { ifMatch: etag })
  } catch (error) {
    if (error.kind !== 'customer-unknown' || !await isRemovedByUser(customer)) throw error
  }
}

/** Whether this user removed the customer, but the response was lost. */
async function isRemovedByUser ({ customerid, etag }) {
  const last = await lastChangeOf(customerid)
  return last?.kind === 'removed' && last.sub === state.session?.sub && etag === `"${last.version}-json"`
}

/** Adds a removed customer again, as it was. Fails if it was erased in the meantime, or the number is in use. */
export async function restore (customer) {
  const { customerid, etag, version = Number(/\d+/.exec(etag)), error } = customer
  if (error && !await isRemovedByUser(customer)) return
  await unlessThere(customer, customers.restore(customerid, version, { ifMatch: '*' }))
}

const registerAgain = customer => unlessThere(customer, customers.register(recordOf(customer)))

/** Ignores a conflict with the customer itself: an earlier attempt added it back, but its response was lost. */
const unlessThere = (customer, request) => request.catch(async error => {
  const now = error.status === 409 ? await customers.read(customer.customerid).catch(() => null) : null
  if (!now || differences(now, customer).length > 0) throw error
})
