// A menu below a button: arrows move, Enter chooses, Escape or a click elsewhere closes it.
import { html, render } from './lit/lit-html.js'

let opener

/** Opens a menu; `items` are `{ label, run, danger }`, or `{ text }` that is only read. */
export function openMenu (button, items) {
  const menu = document.getElementById('menu')
  opener = button
  render(html`${items.map(item => item.text
    ? html`<p role="presentation">${item.text}</p>`
    : html`<button type="button" role=${item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'} aria-checked=${item.checked ?? ''} tabindex="-1"
        class=${item.danger ? 'danger' : ''} @click=${() => choose(item)}>${item.label}</button>`)}`, menu)
  menu.showPopover()
  const { right, bottom, top } = button.getBoundingClientRect()
  const below = bottom + 4 + menu.offsetHeight < innerHeight
  menu.style.left = `${Math.max(8, right - menu.offsetWidth)}px`
  menu.style.top = `${below ? bottom + 4 : Math.max(8, top - 4 - menu.offsetHeight)}px`
  menu.querySelector('button').focus()
}

function choose ({ run }) {
  close()
  run()
}

function close () {
  document.getElementById('menu').hidePopover()
  opener?.focus()
}

/** Lets the keyboard move in the menu. */
export function wireMenu () {
  const menu = document.getElementById('menu')
  menu.addEventListener('keydown', event => {
    const buttons = [...menu.querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement)
    const last = buttons.length - 1
    const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (event.key === 'Tab') close()
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    buttons[to].focus()
  })
  addEventListener('scroll', () => menu.hidePopover(), { passive: true })
}
