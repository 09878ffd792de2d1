// Saving the panel's input: at once, or as soon as the register can be reached.
import { add, change } from '../list/actions.js'
import * as drafts from './drafts.js'
import { refresh } from '../list/list.js'
import { t } from '../language.js'
import { html } from '../lit/lit-html.js'
import { isSure } from '../parts/dialog.js'
import { say, warn } from '../parts/messages.js'
import { namesakesOf, sentenceOf } from './namesakes.js'
import { lookAgain } from './others.js'
import { close, isChanged, keepInput, leave, openKept } from './panel.js'
import { customers, differences, doubtsOf, labels, nameOf, reasonOf, refusalOf } from '../register.js'
import { state, update, updateIn } from '../state.js'
import { stopWaiting, wait } from './waiting.js'

/** The ids whose changes are being sent. */
const saving = new Set()

/** Whether a customer is being saved or removed. */
export const isSaving = id => saving.has(id)

/** Does something with a customer, which nothing else can change meanwhile. @returns what `work` returns */
export async function busyWith (id, work) {
  saving.add(id)
  update()
  try {
    return await work()
  } finally {
    saving.delete(id)
    update()
  }
}

/** Saves the panel's input. */
export async function save () {
  const { id, opened, conflict = [] } = state.panel
  if (saving.has(id) || drafts.draftOf(id)?.waiting) return
  if (!drafts.isNew(id) && !isChanged()) return close()
  // Enter must not overwrite what this user has not seen.
  if (conflict.some(({ choice }) => !choice)) return focusPart('conflict')
  if (!await busyWith(id, () => confirm(state.panel)) || state.panel?.opened !== opened) return
  keepInput({ always: true })
  if (!state.away) return send(id)
  await wait(id)
  focusPart('waiting')
}

/** Asks about probable mistakes. */
async function confirm ({ id, before, values }) {
  if (!drafts.isNew(id)) return isRight(doubtsOf(changesOf({ before, values })))
  const namesakes = state.away ? [] : await namesakesOf(values)
  if (state.panel?.id === id) updateIn('panel', { namesakes })
  const same = namesakes.filter(({ isSame }) => isSame)
  return isRight([...doubtsOf(typed(values)), ...same.slice(0, 1).map(sentenceOf)])
}

const isRight = async doubts => doubts.length === 0 ||
  await isSure({ title: t('panel.isRight'), body: html`<p>${doubts.join(' ')}</p>`, yes: t('panel.saveAnyway'), kind: 'primary' })

/** An age that is not a number is sent unchanged: the service says what is wrong with it. */
export const typed = values => ({ ...values, customerage: /^-?\d+$/.test(values.customerage) ? Number(values.customerage) : values.customerage })

const changesOf = ({ before, values }) => Object.fromEntries(differences(values, before).map(name => [name, typed(values)[name]]))

/** Sends a draft. If the service does not respond, the draft waits. */
export function send (id) {
  const { before, values, key } = drafts.draftOf(id)
  if (drafts.isNew(id)) return attempt(id, Number(values.customerid), () => add(typed(values), key), { canWait: true })
  const changes = changesOf({ before, values })
  return attempt(id, id, () => change(before, changes).catch(error => isDone(error, before, changes)), { canWait: true })
}

/** Whether a refused change has been made: by an earlier attempt, whose response was lost. @throws the error if not */
async function isDone (error, before, changes) {
  const wanted = { ...before, ...changes }
  if (error.status !== 412 || differences(await customers.read(before.customerid), wanted).length > 0) throw error
  await refresh()
  say(t('saved.changed', { name: nameOf(wanted) }))
}

/** Restores the customer to its state after a change in its history. */
export async function restore ({ version, after }) {
  const { id, before } = state.panel
  await attempt(id, id, () => change(before, after, version))
}

/**
 * Runs an action, then discards the draft, closes its panel, and focuses the row of `customerid`. `canWait`: if the service does not
 * respond, the draft waits.
 */
export async function attempt (id, customerid, work, { canWait = false } = {}) {
  if (saving.has(id)) return
  const { signal } = state.session
  const isOpen = () => state.panel?.id === id
  const error = await busyWith(id, async () => {
    if (isOpen()) await updateIn('panel', { errors: {}, problem: null })
    return await work().then(() => null, error => error)
  })
  if (signal.aborted) return
  if (error) return await refused(id, error, canWait)
  drafts.drop(id)
  if (isOpen()) await leave(customerid)
  else await update()
}

/** Shows why the service refused, and keeps the draft. */
export async function refused (id, error, canWait) {
  const refusal = refusalOf(error)
  const draft = drafts.draftOf(id)
  const isOpen = state.panel?.id === id
  // It can be discarded in the meantime.
  if (refusal.isAway && canWait && draft) {
    if (draft.waiting) return await update()
    await wait(id)
    return isOpen && focusPart('waiting')
  }
  await stopWaiting(id)
  if (!isOpen) return warnOf(id, error)
  // Someone else changed or removed the customer.
  if (refusal.status === 412 || (refusal.status === 404 && !drafts.isNew(id))) return await lookAgain({ isFocused: true })
  await showRefusal(refusal)
}

/** The panel is closed: the draft is kept. */
function warnOf (id, error) {
  const { values } = drafts.draftOf(id) ?? {}
  const reason = drafts.isNew(id) && error.kind === 'customer-exists' ? takenText(values) : t('reason.sentence', { reason: reasonOf(error) })
  if (!values) return warn(reason)
  warn(t('failure', { what: t('saved.failed', { name: nameOf(values) }), why: reason }), { action: { label: t('open'), run: () => openKept(id) } })
}

const takenText = values => t('panel.taken', { number: values?.customerid })

/** Shows in the panel why the service refused: at the fields, or else above them. */
async function showRefusal ({ kind, title, text, errors, requestId }) {
  const { id, values } = state.panel
  if (drafts.isNew(id) && kind === 'customer-exists') errors.customerid = takenText(values)
  if (errors.customerage) errors.customerage = t('panel.wholeAge')
  const wrong = Object.keys(labels).find(name => errors[name])
  await updateIn('panel', { errors, problem: wrong ? null : { title, text, requestId } })
  focusPart(wrong ?? 'problem')
}

/** Focuses a field or a part of the panel, never a button: Enter must not overwrite or discard anything. */
export const focusPart = name => document.getElementById(`panel-${name}`)?.focus()
