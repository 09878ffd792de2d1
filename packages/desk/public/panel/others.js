// What others do to the open customer is shown at once, and merged into unsaved input.
import * as drafts from './drafts.js'
import { add } from '../list/actions.js'
import { lastChangeOf, refresh, removedIn } from '../list/list.js'
import { restore } from '../list/remove.js'
import { merge } from './merge.js'
import { say } from '../parts/messages.js'
import { isChanged, keepInput, leave, readHistory } from './panel.js'
import { attempt, focusPart, isSaving, refused, save, typed } from './save.js'
import { customers, nameOf, refusalOf, valuesOf } from '../register.js'
import { state, updateIn } from '../state.js'
import { t } from '../language.js'

let looks = 0
let newest

/** Handles an event of the change feed. */
export function notice ({ type, data: { customerid, version } }) {
  const { id, before } = state.panel ?? {}
  const isKnown = !/removed|merged|erased/.test(type) && before?.etag === `"${version}-json"`
  if (customerid === id && !isSaving(id) && !isKnown) lookAgain()
}

/** Reads the open customer again, and shows what changed. `isFocused`: moves the focus there. */
export async function lookAgain ({ isFocused = false } = {}) {
  const { id, opened } = state.panel ?? {}
  if (id === undefined || drafts.isNew(id)) return
  newest = look(id, opened)
  // A later one replaces an earlier one.
  for (let awaited; awaited !== newest;) await (awaited = newest)
  if (!isFocused || state.panel?.opened !== opened) return
  focusPart(['gone', 'conflict', 'problem'].find(name => document.getElementById(`panel-${name}`)) ?? 'customername')
}

async function look (id, opened) {
  const number = ++looks
  const found = await customers.read(id).catch(error => ({ refusal: refusalOf(error) }))
  const { refusal } = found
  const last = refusal?.status === 404 || refusal?.status === 410 ? await lastChangeOf(id) : null
  if (number !== looks || state.panel?.opened !== opened || isSaving(id)) return
  // The user has confirmed a waiting save for the version of before: sending it finds the difference.
  if (drafts.draftOf(id)?.waiting) return
  if (!refusal) await takeIn(found)
  else if (refusal.status === 404 || last?.successor !== undefined) await updateIn('panel', { gone: goneWith(last, id) })
  else if (!refusal.isAway) await updateIn('panel', { problem: refusal })
}

/** Why the customer is gone. `successor`: the number of the one that it was merged into. */
const goneWith = (last, id) => ({ isErased: last?.kind === 'erased', removed: removedIn(last, id), successor: last?.successor })

async function takeIn (theirs) {
  const { before, history } = state.panel
  if (theirs.etag === before.etag) return updateIn('panel', { gone: null })
  const hasInput = isChanged()
  const shown = updateIn('panel', { ...hasInput ? mergedWith(theirs) : { before: theirs, values: valuesOf(theirs) }, gone: null })
  if (history) readHistory({ again: true })
  await shown
  if (!hasInput) return
  keepInput()
  // Not below the fold, because of what has just appeared above it.
  document.activeElement.closest('.panel .field')?.scrollIntoView({ block: 'nearest' })
}

/** The unsaved input, merged with what someone else changed. */
function mergedWith (theirs) {
  const { merged, ...rest } = merge(state.panel, theirs)
  const earlier = state.panel.merged.filter(({ name }) => !merged.some(now => now.name === name))
  return { ...rest, merged: [...earlier, ...merged] }
}

/** Adds the removed customer again, with this user's input: restores it, or registers it if there is no history. */
export async function addAgain () {
  const { id, values, key, gone: { removed } } = state.panel
  if (!removed) return attempt(id, id, () => add(typed(values), key))
  const { opened } = state.panel
  const error = await restore(removed).then(() => null, error => error)
  if (state.panel?.opened !== opened) return
  if (error) return refused(id, error)
  await lookAgain()
  await refresh()
  if (state.panel?.opened !== opened) return
  if (isChanged()) return save()
  say(t('restore.done', { name: nameOf(removed) }))
  await leave(id)
}
