// The icons, which are symbols in index.html.
import { html } from './lit/lit-html.js'

/** Draws an icon. It says nothing to a screen reader: what it is on has a name. */
export const icon = name => html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"></use></svg>`
