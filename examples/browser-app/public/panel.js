// The side panel: shows a customer, changes or removes it, or adds one. What is typed is kept until it is saved or discarded.
import { add, change, removeAll } from './actions.js'
import * as drafts from './drafts.js'
import { say, warn } from './messages.js'
import { refusalOf } from './refusal.js'
import { customers, end } from './session.js'
import { state, update } from './state.js'
import { focusRow } from './table.js'

export const labels = { customerid: 'Number', customername: 'Name', customerage: 'Age', customeraddress: 'Address' }
const editable = ['customername', 'customerage', 'customeraddress']
const LARGEST = 2147483647

/** Opens a customer, with what was typed there and not saved. */
export function openCustomer (customer) {
  open(customer.customerid, { before: customer, values: valuesOf(customer) })
}

/** Opens the panel for a new customer, and suggests a number. */
export async function openNew () {
  open('new', { before: null, values: { customerid: '', customername: '', customerage: '', customeraddress: '' } })
  const { items: [last] } = await customers.page({ sort: '-id', limit: 1 }).catch(() => ({ items: [] }))
  const suggested = (last?.customerid ?? 0) + 1
  if (state.panel?.id !== 'new' || state.panel.values.customerid !== '' || suggested > LARGEST) return
  set({ suggested: String(suggested), values: { ...state.panel.values, customerid: String(suggested) } })
}

/** Opens the panel that was open with something typed in it, before a reload or a new sign-in. */
export function reopen () {
  const id = drafts.openDraft()
  if (id === null) return
  if (id === 'new') openNew()
  else open(id, drafts.draftOf(id))
}

function open (id, content) {
  const draft = drafts.draftOf(id)
  const fresh = { errors: {}, problem: null, conflict: null, busy: false, key: crypto.randomUUID() }
  update({ panel: { id, ...content, ...draft, isDraft: Boolean(draft), ...fresh } })
  drafts.setOpen(id)
}

/** Takes in what is typed. */
export function type (name, value) {
  const values = { ...state.panel.values, [name]: value }
  // Another request: the answer to the last one is not for this one.
  set({ values, key: crypto.randomUUID(), errors: { ...state.panel.errors, [name]: undefined } })
  if (isChanged(state.panel)) drafts.keep(state.panel.id, { before: state.panel.before, values })
  else drafts.drop(state.panel.id)
}

/** Whether something is typed that is not saved. */
export function isChanged ({ before, values, suggested = '' }) {
  return before ? editable.some(name => values[name] !== String(before[name])) : values.customerid !== suggested || editable.some(name => values[name] !== '')
}

/** Closes the panel; what is not saved is kept. */
export async function close () {
  const { panel } = state
  if (!panel) return
  if (isChanged(panel)) {
    const { id, values: { customername } } = panel
    say(id === 'new' ? 'The new customer is kept as a draft.' : `Your changes to ${customername} are kept as a draft.`, {
      action: { label: 'Discard', run: () => { drafts.drop(id); update() } }
    })
  }
  await leave(panel.id)
}

/** Drops what is typed. */
export async function discard () {
  const { id } = state.panel
  drafts.drop(id)
  await leave(id)
}

async function leave (id) {
  drafts.setOpen(null)
  await update({ panel: null })
  if (!focusRow(id)) (document.getElementById('new') ?? document.getElementById('search')).focus()
}

/** Saves what is typed. */
export async function save () {
  const { panel } = state
  const { id, before, values, key, busy } = panel
  if (busy) return
  const changed = editable.filter(name => before && values[name] !== String(before[name]))
  const changes = Object.fromEntries(changed.map(name => [name, typed(name, values[name])]))
  if (before && changed.length === 0) return close()
  await attempt(before ? id : Number(values.customerid), () => before ? change(before, changes) : add(values, key))
}

/** Restores what the customer was after a change of its history. */
export async function restore ({ version, after }) {
  const { before, busy } = state.panel
  if (!busy) await attempt(before.customerid, () => change(before, after, version))
}

/** Does it, and closes the panel. `customerid` gets the keyboard. */
async function attempt (customerid, work) {
  const { id } = state.panel
  await set({ busy: true, errors: {}, problem: null })
  try {
    await work()
    drafts.drop(id)
    if (state.panel?.id === id) await leave(customerid)
  } catch (error) {
    if (state.panel?.id === id) set({ busy: false })
    await refused(error)
  }
}

// An age that is not a number goes as it is: the service says what is wrong with it.
const typed = (name, value) => name === 'customerage' && /^\d+$/.test(value) ? Number(value) : value

async function refused (error) {
  const { status, title, text, sentence, errors, requestId } = refusalOf(error)
  if (status === 401) return end(`${sentence} What you typed is kept.`)
  // Closed meanwhile: the draft is kept.
  if (!state.panel) return warn(sentence)
  const { before, values } = state.panel
  if (status === 412) return compare().catch(refused)
  if (status === 404 && before) return set({ problem: { title: 'This customer was removed meanwhile.', isGone: true } })
  if (status === 409) errors.customerid = `Number ${values.customerid} is taken. Choose another one.`
  const wrong = Object.keys(labels).filter(name => errors[name])
  const problem = wrong.length > 0 ? null : { title, text, requestId }
  await set({ errors, problem })
  document.getElementById(wrong[0] ? `panel-${wrong[0]}` : 'panel-problem')?.focus()
}

/** Shows field by field what this person typed, what another one saved meanwhile, and what it was before. */
async function compare () {
  const { id, before, values } = state.panel
  const theirs = await customers.read(id)
  const mine = { ...values }
  const rows = editable.filter(name => String(theirs[name]) !== String(before[name])).map(name => {
    const isMine = values[name] !== String(before[name])
    // What only the other person has changed is filled in; what this one has typed stays.
    if (!isMine) mine[name] = String(theirs[name])
    return { name, before: String(before[name]), theirs: String(theirs[name]), mine: isMine ? values[name] : null }
  })
  drafts.keep(id, { before: theirs, values: mine })
  await set({ before: theirs, values: mine, conflict: rows, key: crypto.randomUUID() })
  // Not a button or a field: Enter must neither overwrite nor discard anything.
  document.getElementById('panel-conflict').focus()
}

/** Adds a customer that was removed meanwhile again, with what is typed. */
export function addAgain () {
  const { id, values } = state.panel
  drafts.drop(id)
  drafts.keep('new', { before: null, values: { ...values, customerid: String(id) } })
  return openNew()
}

/** Removes the customer of the panel. */
export async function removeThis () {
  const { before } = state.panel
  if (!await removeAll([before])) return
  if (state.panel?.before === before) await leave(before.customerid)
}

/** Shows what another person changed, unless something is typed: then it is compared when that is saved. */
export function takeIn (items) {
  const { id, before, busy } = state.panel ?? {}
  const now = items.find(({ customerid }) => customerid === id)
  if (!now || busy || now.etag === before.etag || isChanged(state.panel)) return
  set({ before: now, values: valuesOf(now), history: undefined })
}

function valuesOf (customer) {
  return Object.fromEntries(editable.map(name => [name, String(customer[name])]))
}

function set (changes) {
  return state.panel ? update({ panel: { ...state.panel, ...changes } }) : Promise.resolve()
}
