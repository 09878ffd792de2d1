// Keyboard shortcuts, and the help. Single-key shortcuts are disabled in text fields, and can be turned off (WCAG 2.1.4).
import { rich, t } from '../language.js'
import { html } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { act } from './messages.js'
import { openNew } from '../panel/panel.js'
import { choose, may, state, update } from '../state.js'
import { removeOne } from '../list/remove.js'
import { removeSelected } from '../list/selection-view.js'
import { clearSelection, selectAll, selectedTotal, toggle } from '../list/selection.js'
import { move } from '../list/table.js'

const keys = [
  { names: ['/'], what: t('keys.search'), run: toSearch },
  { names: ['n'], what: t('keys.new'), run: () => { if (may('write')) openNew() } },
  { names: ['u'], what: t('keys.undo'), run: act },
  { names: ['?'], what: t('keys.help'), run: openHelp },
  { names: ['x'], what: t('keys.select'), run: () => selectRow(false) },
  { names: ['Shift x'], key: 'X', what: t('keys.selectRange'), run: () => selectRow(true) },
  { names: ['Shift ↑', 'Shift ↓'], what: t('keys.selectSeveral') },
  { names: ['a'], what: t('keys.selectAll'), run: selectAll },
  { names: ['Delete'], what: t('keys.remove'), run: () => { if (may('delete')) removeHere() } },
  { names: ['↑', '↓'], what: t('keys.rows') },
  { names: ['Home', 'End'], what: t('keys.ends') },
  { names: ['Enter'], what: t('keys.open') },
  { names: ['Ctrl', 'Enter'], what: t('keys.save') },
  { names: ['Esc'], what: t('keys.escape') }
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
  if (row) removeOne(row)
}

async function toSearch () {
  await clearSelection()
  /** @type {HTMLInputElement} */
  const input = document.querySelector('#search')
  input?.select()
}

/** Shows the shortcuts, and what can be searched for. */
export function openHelp () {
  const body = () => html`
    <p tabindex="-1" autofocus>${rich('keys.searchFor', { one: example('34'), several: example('30-39') })}</p>
    <dl class="keys">${keys.map(({ names, what }) => html`<div><dt>${names.map(name => html`<kbd>${name}</kbd>`)}</dt><dd>${what}</dd></div>`)}</dl>
    <label class="switch"><input type="checkbox" role="switch" .checked=${live(state.settings.shortcuts)}
      @change=${({ target }) => choose({ shortcuts: target.checked })}>${t('keys.single')}</label>`
  update({ dialog: () => ({ title: t('menu.help'), body: body(), buttons: html`<button>${t('close')}</button>` }) })
}

const example = age => html`<b>${t('search.age', { age })}</b>`
