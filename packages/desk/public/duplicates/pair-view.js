// Two customers side by side. Where they differ, the values are bold and the field has a sign.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { stayOpen } from '../parts/dialog.js'
import { time } from '../parts/parts.js'
import { differences, labels } from '../register.js'

const fields = Object.keys(labels).filter(name => name !== 'customerid')

/** A pair of the list, and why it is one. ARIA roles, because the page's tables become cards on phones. */
export function pairView ({ customers: [one, other], similar }) {
  const why = t(similar.length > 1 ? 'duplicates.both' : /** @type {'duplicates.age'} */ (`duplicates.${similar[0]}`))
  const cells = show => [one, other].map(customer => html`<span role="cell">${show(customer)}</span>`)
  const different = differences(one, other)
  return html`<p>${why}</p>
    <div class="sides" role="table" aria-label=${why}>
      <div role="row"><span role="cell"></span>${[one, other].map(({ customerid }) =>
        html`<b role="columnheader">${t('customer.number', { number: customerid })}</b>`)}</div>
      ${fields.map(name => html`<div role="row" class=${different.includes(name) ? 'different' : ''}>
        ${headerOf(name, different)}${cells(customer => html`<bdi>${customer[name]}</bdi>`)}</div>`)}
      ${one.updated
        ? html`<div role="row"><span role="rowheader">${t('changed')}</span>${cells(({ updated }) => time(updated))}</div>`
        : nothing}
    </div>`
}

const headerOf = (name, different) => html`<span role="rowheader">${different.includes(name)
  ? rich('duplicates.differs', { field: labels[name] })
  : labels[name]}</span>`

/** The choice between the values of each field in which two customers differ. `sides`: the chosen ones, 0 or 1. */
export function sidesView ([one, other], sides, choose) {
  const row = (name, show) => html`<div role="radiogroup" aria-labelledby="side-${name}"><span id="side-${name}">${labels[name]}</span>
    ${[one, other].map((customer, side) => html`<label><input type="radio" name="side-${name}" .checked=${sides[name] === side}
      @change=${() => choose(name, side)}><span>${show(customer)}</span></label>`)}</div>`
  return html`<div class="sides" @keydown=${stayOpen}>
    ${row('customerid', ({ customerid, updated }) => html`${customerid}${updated
      ? html` <span class="small">${t('changed')} ${time(updated)}</span>`
      : nothing}`)}
    ${differences(one, other).filter(name => name !== 'customerid').map(name => row(name, customer => html`<bdi>${customer[name]}</bdi>`))}
  </div>`
}
