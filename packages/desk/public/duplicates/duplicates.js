// Possible duplicates: pairs of customers side by side, a page at a time, which the user merges or marks as different people.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { readPages, refresh } from '../list/list.js'
import { refreshAndFocus } from '../list/remove.js'
import { deselect } from '../list/selection.js'
import { createReader, focusItem } from '../parts/dialog-list.js'
import { say, warn } from '../parts/messages.js'
import { button } from '../parts/parts.js'
import { customers, reasonOf } from '../register.js'
import { may, state, update } from '../state.js'
import { undoAtOnce, undoChanges } from '../files/undo.js'
import { failureOf, mergeDialog, mergePair, stepOf } from './merge-pair.js'
import { pairView } from './pair-view.js'

const SHOWN = 20

/**
 * `{ starts, items, next, busy, done, problem, step }`. `starts`: the cursors of the pages up to this one; `done`: what the user did,
 * `{ text, operation }`; `step`: the choices of a merge, see merge-pair.js; `isAlone`: without a list, of two selected customers.
 */
let shown
const { read, stop } = createReader(set)

/** Opens the dialog. */
export async function openDuplicates () {
  shown = { starts: [undefined], items: [] }
  update({ dialog })
  await load()
}

/** Opens the choices of a merge of two customers that the user has selected. */
export async function openMerge (chosen) {
  shown = { items: [], step: stepOf({ customers: chosen }), isAlone: true }
  await update({ dialog })
  focusStep()
}

const dialog = () => shown.step ? mergeDialog(shown.step, { choose, merge, back, close }) : duplicatesDialog()

function duplicatesDialog () {
  const { items, busy, done, problem } = shown
  const note = busy || problem || items.length > 0 ? nothing : emptyText()
  return {
    title: t('duplicates.title'),
    body: html`<p role="status" id="duplicates-note" tabindex="-1" autofocus>${done?.text ?? note}
        ${busy && items.length === 0 ? t('search.loading') : nothing}
        ${done?.operation ? button(t('undo'), undo, 'link') : nothing}</p>
      ${problem ? html`<div role="alert" dir="auto">${problem}</div>` : nothing}
      ${items.length > 0
        ? html`<ul class="pairs" tabindex="0" aria-label=${t('duplicates.title')} aria-busy=${busy}>${items.map(row)}</ul>`
        : nothing}
      ${pagesView()}`,
    buttons: html`<button>${t('close')}</button>`,
    close
  }
}

function emptyText () {
  if (shown.next) return t('search.nothingYet')
  return shown.starts.length > 1 ? t('duplicates.end') : `${t('duplicates.none')} ${t('duplicates.how')}`
}

/** One page at a time: after a merge, other pairs of the page can be different ones, and it is read again. */
function pagesView () {
  const { starts, next, problem, items } = shown
  const isLost = problem && items.length === 0
  return html`<div class="choices">
    ${isLost ? button(t('tryAgain'), () => load(), 'link') : nothing}
    ${starts.length > 1 ? button(t('duplicates.previous'), () => turn(starts.slice(0, -1)), 'link') : nothing}
    ${next ? button(t('duplicates.next'), () => turn([...starts, next]), 'link') : nothing}</div>`
}

function row (pair) {
  const [one, other] = pair.customers.map(({ customerid }) => customerid)
  return html`<li>${pairView(pair)}
    <div class="choices">
      ${may('write') && may('delete') ? button(rich('duplicates.merge', { one, other }), () => begin(pair)) : nothing}
      ${may('write') ? button(rich('duplicates.dismiss', { one, other }), () => dismiss(pair)) : nothing}
    </div></li>`
}

async function begin (pair) {
  await set({ step: stepOf(pair), done: undefined, problem: undefined })
  focusStep()
}

async function turn (starts) {
  set({ done: undefined })
  await load(starts)
  document.querySelector('.pairs')?.scrollTo(0, 0)
  document.getElementById('duplicates-note')?.focus()
}

/** Reads a page, or this one again. */
const load = (starts = shown.starts) => read(async signal => {
  const { items, next } = await readPages(starts.at(-1), cursor => customers.duplicates({ limit: SHOWN, cursor }, { signal }))
  return { items, next, starts }
})

async function dismiss (pair) {
  const index = shown.items.indexOf(pair)
  const [one, other] = pair.customers.map(({ customerid }) => customerid)
  const reason = await customers.dismissDuplicate(one, other).then(() => null, reasonOf)
  if (!state.session) return
  await set({ done: reason ? undefined : { text: t('duplicates.dismissed', { one, other }) } })
  await load()
  if (reason) await set({ problem: failureOf('duplicates.notDismissed', reason) })
  focusPair(index)
}

const choose = (name, side) => set({ step: { ...shown.step, sides: { ...shown.step.sides, [name]: side } } })

async function merge () {
  const { step } = shown
  const [{ customerid: one }] = step.pair.customers
  const index = shown.items.findIndex(({ customers }) => customers.some(({ customerid }) => customerid === one))
  await set({ step: { ...step, busy: true, problem: undefined } })
  const { done, problem, step: next } = await mergePair(step)
  if (!state.session) return
  if (shown.isAlone && !next) return leave(done, problem)
  await set({ step: next, done, problem: undefined })
  if (next) return focusStep()
  refresh()
  await load()
  if (problem) await set({ problem })
  focusPair(index)
}

async function leave (done, problem) {
  await deselect()
  await update({ dialog: null })
  await refreshAndFocus()
  if (problem) warn(problem)
  else sayDone(done)
}

async function back () {
  if (shown.isAlone) return update({ dialog: null })
  const index = shown.items.indexOf(shown.step.pair)
  await set({ step: undefined })
  focusPair(index)
}

async function undo () {
  const { operation } = shown.done
  await set({ done: undefined, busy: true })
  const problem = await undoAtOnce(operation)
  if (!state.session) return
  refresh()
  await load()
  await set(problem ? { problem } : { done: { text: t('merge.undone') } })
  document.getElementById('duplicates-note')?.focus()
}

const focusPair = index => focusItem('.pairs > li', index, 'duplicates-note')

const focusStep = () => /** @type {HTMLElement} */ (document.querySelector('.sides input:checked'))?.focus()

/** The last merge can still be undone. */
function close () {
  stop()
  if (shown.done?.operation && state.session) sayDone(shown.done)
}

const sayDone = ({ text, operation }) =>
  say(text, operation ? { action: { label: t('undo'), run: () => undoChanges(operation) }, lasts: 'minute' } : {})

function set (changes) {
  Object.assign(shown, changes)
  return update()
}
