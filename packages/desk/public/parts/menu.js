// A menu below a button: arrow keys move, Enter selects, Escape or a click elsewhere closes it.
import { html, nothing } from '../lit/lit-html.js'
import { state, update } from '../state.js'

/**
 * Opens a menu when its button is clicked. Items: `{ label, run, danger, checked }`, or `{ text }` to display;
 * skips false ones. `aside`: a second action, `{ label, name, run }`.
 */
export const openMenu = itemsOf => async ({ currentTarget: opener }) => {
  await update({ menu: { opener, items: itemsOf().filter(Boolean) } })
  const menu = document.getElementById('menu')
  // The button is the menu's anchor.
  menu.showPopover({ source: opener })
  menu.querySelector('button').focus()
}

/** @typedef {{ text?: string, label?: unknown, name?: string, run?: () => unknown, danger?: boolean, checked?: boolean }} Item */

/** The menu, even while closed. */
export function menuView () {
  const { opener, items = [] } = state.menu ?? {}
  return html`<div id="menu" role="menu" popover aria-label=${opener?.ariaLabel ?? opener?.textContent.trim() ?? ''} @keydown=${moveIn}>
    ${items.map(itemView)}
  </div>`
}

/** @param {Item & { aside?: Item }} item */
function itemView ({ aside, ...item }) {
  return aside ? html`<div class="pair" role="presentation">${itemView(item)}${itemView(aside)}</div>` : itemButton(item)
}

/** @param {Item} item */
function itemButton ({ text, label, name, run, danger, checked }) {
  if (text) return html`<p role="presentation">${text}</p>`
  const choose = () => {
    close()
    run()
  }
  return html`<button type="button" role=${checked === undefined ? 'menuitem' : 'menuitemcheckbox'} aria-checked=${checked ?? nothing}
    aria-label=${name ?? nothing} tabindex="-1"
    class=${danger ? 'danger' : ''} @click=${choose}>${label}</button>`
}

function close () {
  document.getElementById('menu').hidePopover()
  state.menu.opener.focus()
}

function moveIn (event) {
  if (event.key === 'Tab') return close()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  buttons.at(to % buttons.length).focus()
}
