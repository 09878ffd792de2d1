// The side panel: shows, changes, removes or adds a customer. Input is kept until it is saved or discarded.
import { go, leavePanel } from '../address.js'
import { add, change } from '../list/actions.js'
import { removeAll } from '../list/remove.js'
import * as drafts from './drafts.js'
import { isSure } from '../parts/dialog.js'
import { html } from '../lit/lit-html.js'
import { say, warn } from '../parts/messages.js'
import { customers, differences, doubtsOf, labels, nameOf, refusalOf, valuesOf } from '../register.js'
import { state, update, updateIn } from '../state.js'
import { focusRow } from '../list/table.js'

const LARGEST = 2147483647
const blank = { customerid: '', customername: '', customerage: '', customeraddress: '' }

/** Opens a customer, with its unsaved input. */
export const openCustomer = customer => open(customer.customerid, customer, valuesOf(customer))

/** Opens the panel for a new customer. */
export const openNew = () => openDraft(drafts.newId())

/** Opens a new customer's draft, and suggests a number if there is none yet. */
export async function openDraft (id) {
  open(id, blank, blank)
  const customerid = await customers.page({ sort: '-id', limit: 1 }).then(({ items: [last] }) => (last?.customerid ?? 0) + 1, () => Infinity)
  const { before, values } = state.panel ?? {}
  if (values?.customerid !== '' || customerid > LARGEST) return
  updateIn('panel', { before: { ...before, customerid }, values: { ...values, customerid: String(customerid) } })
}

/** Whether a panel is for a new customer: its id is then a string. */
export const isNew = id => typeof id === 'string'

/** `before` is the customer as it was read; `values` are the fields' contents. A draft has its own. */
function open (id, before, values) {
  const draft = drafts.draftOf(id)
  const shown = { id, before, values, ...draft, isDraft: Boolean(draft), opened: {} }
  update({ panel: { ...shown, errors: {}, problem: null, conflict: null, busy: false, key: crypto.randomUUID() } })
  go({ customer: id }, { push: true })
}

/** Updates the panel with the input. */
export function type (name, value) {
  const { id, before, values, errors } = state.panel
  // This is a new request: the previous response does not apply to it.
  const key = crypto.randomUUID()
  updateIn('panel', { values: { ...values, [name]: value }, key, errors: { ...errors, [name]: undefined } })
  if (isChanged()) drafts.keep(id, { before, values: state.panel.values })
  else drafts.drop(id)
}

/** Whether there is unsaved input. */
export const isChanged = () => differences(state.panel.values, state.panel.before).length > 0

/** Closes the panel, and keeps unsaved input. */
export async function close () {
  if (!state.panel) return
  const { id, before } = state.panel
  if (isChanged()) {
    say(isNew(id) ? 'Kept the new customer as a draft.' : `Kept your changes to ${nameOf(before)} as a draft.`, {
      action: { label: 'Discard', run: () => { drafts.drop(id); update() } }
    })
  }
  await leave(id)
}

/** Discards the input. */
export async function discard () {
  const { id } = state.panel
  drafts.drop(id)
  await leave(id)
}

async function leave (id) {
  leavePanel()
  await update({ panel: null })
  focusRow(id)
}

/** Saves the input. */
export async function save () {
  const { id, before, values, key } = state.panel
  // An age that is not a number is sent unchanged: the service says what is wrong with it.
  const typed = { ...values, customerage: /^-?\d+$/.test(values.customerage) ? Number(values.customerage) : values.customerage }
  const changes = Object.fromEntries(differences(values, before).map(name => [name, typed[name]]))
  if (!isNew(id) && !isChanged()) return close()
  const doubts = doubtsOf(isNew(id) ? typed : changes)
  if (doubts.length > 0 && !await isSure({ title: 'Is this right?', body: html`<p>${doubts.join(' ')}</p>`, yes: 'Save anyway', kind: 'primary' })) return
  if (isNew(id)) return attempt(Number(values.customerid), () => add(typed, key))
  await attempt(id, () => change(before, changes))
}

/** Restores the customer to its state after a change in its history. */
export async function restore ({ version, after }) {
  const { id, before } = state.panel
  await attempt(id, () => change(before, after, version))
}

/** Runs an action, then closes the panel unless another one is open by then, and focuses the row of `customerid`. */
async function attempt (customerid, work) {
  const { id, busy, opened, values } = state.panel
  if (busy) return
  const isOpen = () => state.panel?.opened === opened
  await updateIn('panel', { busy: true, errors: {}, problem: null })
  try {
    await work()
    // If it was reopened in the meantime, it can have new input.
    if (!differences(drafts.draftOf(id)?.values ?? values, values).length) drafts.drop(id)
    if (isOpen()) await leave(customerid)
  } catch (error) {
    if (isOpen()) updateIn('panel', { busy: false })
    await refused(error, isOpen)
  }
}

async function refused (error, isOpen) {
  const { status, kind, title, text, sentence, errors, requestId } = refusalOf(error)
  // Closed in the meantime: the draft is kept.
  if (!isOpen()) return warn(sentence)
  const { id, values } = state.panel
  if (status === 412) return compare(isOpen).catch(error => refused(error, isOpen))
  if (status === 404 && !isNew(id) && isChanged()) return startAgain()
  if (isNew(id) && kind === 'customer-exists') errors.customerid = `Number ${values.customerid} is already in use. Choose another one.`
  if (errors.customerage) errors.customerage = 'Age must be a whole number.'
  const wrong = Object.keys(labels).find(name => errors[name])
  await updateIn('panel', { errors, problem: wrong ? null : { title, text, requestId } })
  document.getElementById(`panel-${wrong ?? 'problem'}`)?.focus()
}

/** Shows, field by field, this user's input, what someone else saved in the meantime, and the previous value. */
async function compare (isOpen) {
  const theirs = await customers.read(state.panel.id)
  if (!isOpen()) return
  const { id, before, values } = state.panel
  const mine = differences(values, before)
  const conflict = differences(theirs, before).map(name => ({
    name, before: before[name], theirs: String(theirs[name]), mine: mine.includes(name) ? values[name] : null
  }))
  // Fills in what only the other user changed; this user's input stays.
  const merged = { ...valuesOf(theirs), ...Object.fromEntries(mine.map(name => [name, values[name]])) }
  drafts.keep(id, { before: theirs, values: merged })
  await updateIn('panel', { before: theirs, values: merged, conflict, key: crypto.randomUUID() })
  // Does not focus a button or a field: Enter must not overwrite or discard anything.
  document.getElementById('panel-conflict').focus()
}

/** Turns the panel of a customer that was removed in the meantime into one that adds it again. */
async function startAgain () {
  const { id, values } = state.panel
  drafts.drop(id)
  // Its own id: there can be a draft of another new customer.
  const newId = `new${id}`
  drafts.keep(newId, { before: blank, values })
  open(newId)
  const problem = { title: 'Someone removed this customer.', text: 'Your changes are below. Add the customer again, or discard them.' }
  await updateIn('panel', { problem })
  document.getElementById('panel-problem').focus()
}

/** Removes the panel's customer. */
export async function removeThis () {
  const { id, before } = state.panel
  if (await removeAll([before])) await leave(id)
}

/** Reads the customer's history, or its next page. */
export async function readHistory () {
  const { id, history: { items, next: cursor } = { items: [] } } = state.panel
  const page = await customers.history(id, { limit: 20, cursor })
    .catch(error => ({ items: [], next: cursor, problem: refusalOf(error).sentence }))
  if (state.panel?.id === id) updateIn('panel', { history: { ...page, items: [...items, ...page.items] } })
}

/** Shows someone else's change, unless there is unsaved input: then saving compares them. */
export function takeIn (items) {
  const { id, before, busy } = state.panel ?? {}
  const now = items.find(({ customerid }) => customerid === id)
  if (!now || busy || now.etag === before.etag || isChanged()) return
  updateIn('panel', { before: now, values: valuesOf(now), history: undefined })
}
