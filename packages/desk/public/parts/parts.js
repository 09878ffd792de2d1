// Shared parts of the views: icons, buttons and times.
import { formatTime, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'

/** Renders an icon, a symbol in page.eta. It is hidden from screen readers: its parent has a name. */
export const icon = name => html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"></use></svg>`

/** Renders a labeled button. */
export const button = (label, run, kind = '') => html`<button class=${kind} type="button" @click=${run}>${label}</button>`

/** A date or its text, see `formatTime`. */
export const time = when => html`<time datetime=${new Date(when).toISOString()}>${formatTime(when)}</time>`

/** Says how many items are not shown, if any. */
export const moreView = number => number > 0 ? html`<p>${t('moreItems', { count: number })}</p>` : nothing

/** Formats remaining seconds, such as `1:05`. */
export const minutes = seconds => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
