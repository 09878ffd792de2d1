// The keyboard. Single keys do nothing while something is typed, and can be turned off (WCAG 2.1.4).
import { act } from './messages.js'
import { openNew } from './panel.js'
import { may, state, update } from './state.js'
import { move, toggle } from './table.js'

/** What the help lists. */
export const shortcuts = [
  ['/', 'Search'], ['n', 'New customer'], ['u', 'Undo'], ['?', 'Show these keys'],
  ['↑ ↓', 'Previous, next row'], ['Home End', 'First, last row'], ['Enter', 'Open the row'], ['x', 'Select the row'], ['Esc', 'Close; clear the search']
]

const single = {
  '/': () => document.getElementById('search')?.select(),
  n: () => { if (may('write')) openNew() },
  u: () => act(),
  '?': () => { update({ help: true }) },
  x: () => { if (state.active !== null && document.activeElement?.closest('tr')) toggle(state.active) }
}

/** Lets the keyboard be used. */
export function wireKeyboard () {
  document.addEventListener('keydown', event => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || !state.session || document.querySelector('dialog[open]') || target.closest('#menu')) return
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[key]
    if (steps !== undefined && target.closest('tr[data-id]')) run(event, () => move(steps))
    else if (key === 'ArrowDown' && (target.id === 'search' || target === document.body)) run(event, () => move(-Infinity))
    else if (!target.closest('input:not([type=checkbox]), textarea, select') && state.settings.shortcuts && Object.hasOwn(single, key)) run(event, single[key])
  })
}

function run (event, action) {
  event.preventDefault()
  action()
}
