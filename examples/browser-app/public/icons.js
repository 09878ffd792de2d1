// The icons of icons.svg.
import { html } from './lit/lit-html.js'

/** Draws an icon. It says nothing to a screen reader: what it is on has a name. */
export const icon = name => html`<svg class="icon" aria-hidden="true"><use href="/icons.svg#${name}"></use></svg>`
