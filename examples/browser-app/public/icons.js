// The icons, each a path in a square of 16.
import { html, svg } from './lit/lit-html.js'

const paths = {
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  chevron: 'M4 6l4 4 4-4',
  done: 'M3 8.5 6.5 12 13 4.5',
  warning: 'M8 2 15 14H1zM8 6.5v3.5M8 12h.01',
  offline: 'M2 2l12 12M4.5 6.5a6 6 0 0 1 2-1M9.5 5.2a6 6 0 0 1 2.5 1.6M6.3 9.3a2.6 2.6 0 0 1 3.4 0M8 12h.01',
  lock: 'M4 7.5h8V14H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  people: 'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5a4.5 4.5 0 0 1 9 0M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.6a4.5 4.5 0 0 1 2.5 3.9'
}

/** Draws an icon. It says nothing to a screen reader: what it is on has a name. */
export function icon (name) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${paths[name]}></path>`}</svg>`
}
