// Keyboard shortcuts, and the help. Single-key shortcuts are disabled in text fields, and can be turned off (WCAG 2.1.4).
import { html } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { act } from './messages.js'
import { openNew } from '../panel/panel.js'
import { choose, may, state, update } from '../state.js'
import { removeAll } from '../list/remove.js'
import { removeSelected } from '../list/selection-view.js'
import { clearSelection, selectAll, selectedTotal, toggle } from '../list/selection.js'
import { move } from '../list/table.js'

const keys = [
  { names: ['/'], what: 'Search', run: toSearch },
  { names: ['n'], what: 'New customer', run: () => { if (may('write')) openNew() } },
  { names: ['u'], what: 'Undo', run: act },
  { names: ['?'], what: 'Show this help', run: openHelp },
  { names: ['x'], what: 'Select the row', run: () => selectRow(false) },
  { names: ['Shift x'], key: 'X', what: 'Select the rows from the last selected one to this one', run: () => selectRow(true) },
  { names: ['Shift ↑', 'Shift ↓'], what: 'Select several rows' },
  { names: ['a'], what: 'Select all customers that match', run: selectAll },
  { names: ['Delete'], what: 'Remove the selected customers, or the row', run: () => { if (may('delete')) removeHere() } },
  { names: ['↑', '↓'], what: 'Previous, next row' },
  { names: ['Home', 'End'], what: 'First, last row' },
  { names: ['Enter'], what: 'Open the row' },
  { names: ['Ctrl', 'Enter'], what: 'Save, from any field' },
  { names: ['Esc'], what: 'Close; clear the selection or the search' }
]
const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }

/** Enables the keyboard shortcuts. */
export function wireKeyboard () {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !state.list || document.querySelector('dialog[open], #menu:popover-open')) return
    const action = actionOf(event)
    if (action) event.preventDefault()
    action?.()
  })
}

function actionOf ({ key, shiftKey, target }) {
  if (key in steps && target.closest('tr[data-id]')) return () => move(steps[key], shiftKey)
  if (key === 'ArrowDown' && (target.id === 'search' || target === document.body)) return () => move(-Infinity)
  if (key === 'Escape' && selectedTotal().count > 0) return clearSelection
  if (target.closest('input:not([type=checkbox])') || !state.settings.shortcuts) return
  return keys.find(({ names: [name], key: own = name }) => own === key)?.run
}

function selectRow (isRange) {
  if (document.activeElement?.closest('tr[data-id]')) toggle(state.active, isRange)
}

function removeHere () {
  if (selectedTotal().count > 0) return removeSelected()
  const row = document.activeElement?.closest('tr[data-id]') && state.list.items.find(({ customerid }) => customerid === state.active)
  if (row) removeAll([row])
}

async function toSearch () {
  await clearSelection()
  document.getElementById('search')?.select()
}

/** Shows the shortcuts, and what can be searched for. */
export function openHelp () {
  const body = () => html`
    <p tabindex="-1" autofocus>Search by the first letters of a name or address, by number, or by age: <b>age 34</b>, <b>age 30-39</b>.</p>
    <dl class="keys">${keys.map(({ names, what }) => html`<div><dt>${names.map(name => html`<kbd>${name}</kbd>`)}</dt><dd>${what}</dd></div>`)}</dl>
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(state.settings.shortcuts)}
      @change=${({ target }) => choose({ shortcuts: target.checked })}>Keyboard shortcuts</label>`
  update({ dialog: () => ({ title: 'Help', body: body(), buttons: html`<button>Close</button>` }) })
}
