// The side panel: shows, changes, removes or adds a customer. Input is kept until it is saved or discarded.
import { go, leavePanel } from '../address.js'
import { noRemoval, removeOne } from '../list/remove.js'
import * as drafts from './drafts.js'
import { withValue } from './merge.js'
import { say, warn } from '../parts/messages.js'
import { lookUpSoon } from './namesakes.js'
import { lookAgain } from './others.js'
import { customers, differences, nameOf, refusalOf, valuesOf } from '../register.js'
import { busyWith, focusPart, isSaving } from './save.js'
import { may, state, update, updateIn } from '../state.js'
import { focusRow } from '../list/table.js'
import { isOffline, stopWaiting } from './waiting.js'
import { t } from '../language.js'

const LARGEST = 2147483647
const blank = { customerid: '', customername: '', customerage: '', customeraddress: '' }

/** Opens a customer, with its unsaved input. */
export const openCustomer = (customer, more = {}) => open(customer.customerid, customer, valuesOf(customer), more)

/** Opens the panel for a new customer. */
export const openNew = () => openDraft(drafts.newId())

/** Opens a new customer's draft, and suggests a number if there is none yet. */
export async function openDraft (id) {
  if (!drafts.hasRoom(id)) return warn(drafts.fullText)
  await open(id, blank, blank)
  if (state.panel.values.customerid !== '') return
  const last = await customers.page({ sort: '-id', limit: 1 }).then(({ items: [last] }) => last?.customerid ?? 0, () => Infinity)
  // Two drafts must not get the same one.
  const numbers = drafts.all().filter(({ id }) => drafts.isNew(id)).map(({ values }) => Number(values.customerid) || 0)
  const customerid = Math.max(last, ...numbers) + 1
  const { id: openId, before, values } = state.panel ?? {}
  // A user in the field is about to type: the keys would go behind the suggestion.
  const isTyping = document.activeElement?.id === 'panel-customerid'
  if (openId !== id || values.customerid !== '' || isTyping || customerid > LARGEST) return
  updateIn('panel', { before: { ...before, customerid }, values: { ...values, customerid: String(customerid) } })
}

/** Opens a draft. */
export function openKept (id) {
  const draft = drafts.draftOf(id)
  if (draft) return drafts.isNew(id) ? openDraft(id) : openCustomer(draft.before)
}

/**
 * Shows a customer, or its draft. `before` is the customer as it was read; `values` are the fields' contents; `merged` and
 * `conflict` what someone else changed, see merge.js; `gone` that someone removed it, or the `successor` that it was merged into;
 * `mergedFrom` the number of a merged customer that led to this one; `namesakes` who may be the same person.
 */
async function open (id, before, values, more = {}) {
  const wasOpen = Boolean(state.panel)
  const draft = drafts.draftOf(id)
  const shown = { id, before, values, key: crypto.randomUUID(), ...draft, isDraft: Boolean(draft), opened: {} }
  go({ customer: id }, { push: true })
  await update({ panel: { ...shown, errors: {}, problem: null, gone: null, merged: [], namesakes: [], ...more } })
  if (wasOpen) focusPart('customername')
  // The draft can be older than the last change.
  if (draft) lookAgain()
}

/** Updates the panel with the input. `isChosen`: the user has chosen one of two values of a conflict. */
export function type (name, value, { isChosen = false } = {}) {
  if (!isEditable()) return
  const { id, values, errors, conflict } = state.panel
  // This is a new request: the previous response does not apply to it.
  const key = crypto.randomUUID()
  updateIn('panel', {
    values: { ...values, [name]: value },
    key,
    errors: { ...errors, [name]: undefined },
    conflict: withValue(conflict, name, value, isChosen)
  })
  keepInput()
  if (drafts.isNew(id)) lookUpNamesakes()
}

function lookUpNamesakes () {
  const { opened, values } = state.panel
  lookUpSoon(values, namesakes => { if (state.panel?.opened === opened) updateIn('panel', { namesakes }) })
}

/** Keeps the panel's input as a draft, or discards the draft if there is none. */
export function keepInput ({ always = false } = {}) {
  const { id, before, values, key, conflict } = state.panel
  if (always || isChanged()) drafts.keep({ id, before, values, key, conflict })
  else drafts.drop(id)
}

/** Whether there is unsaved input. */
export const isChanged = () => differences(state.panel.values, state.panel.before).length > 0

/** Whether the user can type. */
export function isEditable () {
  const { id, gone } = state.panel
  return may('write') && !isSaving(id) && !drafts.draftOf(id)?.waiting && drafts.hasRoom(id) && !gone?.isErased
}

/** Closes the panel, and keeps unsaved input. */
export async function close () {
  if (!state.panel) return
  const { id, before, values, gone } = state.panel
  if (gone?.isErased) return discard()
  const { waiting } = drafts.draftOf(id) ?? {}
  if (waiting) say(t(isOffline() ? 'panel.willSaveOnline' : 'panel.willSaveLater', { name: nameOf(values) }), { action: { label: t('cancel'), run: () => stopWaiting(id) } })
  else if (!isSaving(id) && !isChanged()) drafts.drop(id)
  else if (!isSaving(id)) {
    say(drafts.isNew(id) ? t('panel.keptNew') : t('panel.kept', { name: nameOf(before) }), {
      action: { label: t('discard'), run: () => discardDraft(id) }
    })
  }
  await leave(id)
}

/** Discards the panel's input. */
export async function discard () {
  const { id, gone } = state.panel
  // An erased person's data does not come back.
  if (gone?.isErased) drafts.drop(id)
  else discardDraft(id)
  await leave(id)
}

/** Discards a draft, and offers to undo this. */
export async function discardDraft (id) {
  const draft = drafts.draftOf(id)
  if (!draft) return
  drafts.drop(id)
  await update()
  // The menu's button no longer exists.
  if (document.activeElement === document.body) document.getElementById('new')?.focus()
  const undo = () => {
    drafts.keep(draft)
    update()
  }
  say(drafts.isNew(id) ? t('panel.discardedNew') : t('panel.discarded', { name: nameOf(draft.before) }), { action: { label: t('undo'), run: undo } })
}

/** Closes the panel, and focuses a row. */
export async function leave (id) {
  leavePanel()
  await update({ panel: null })
  focusRow(id)
}

/** Removes the panel's customer. */
export async function removeThis () {
  const { id, before } = state.panel
  if (state.away === 'network') return showProblem(noRemoval)
  if (await busyWith(id, () => removeOne(before))) await leave(id)
}

/** Shows above the fields why something is not possible. */
async function showProblem (problem) {
  await updateIn('panel', { problem })
  focusPart('problem')
}

/** Reads the customer's history, or its next page. `again`: from its start, after a change. */
export async function readHistory ({ again = false } = {}) {
  const { id, opened, before, history } = state.panel
  const { items, next: cursor } = (again ? undefined : history) ?? { items: [] }
  const page = await customers.history(id, { limit: 20, cursor })
    .catch(error => ({ items: [], next: cursor, problem: refusalOf(error).sentence }))
  if (state.panel?.opened !== opened) return
  if (state.panel.before.etag !== before.etag) return readHistory({ again: true })
  updateIn('panel', { history: { ...page, items: [...items, ...page.items] } })
}
