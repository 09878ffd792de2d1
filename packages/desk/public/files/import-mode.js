// What an import does with customers that the register already has, and how it finds them.
import { t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { labels } from '../register.js'

/** @typedef {{ mode: 'create' | 'update' | 'upsert', match: 'number' | 'name' }} Rule */

/** At first, nothing is changed. @type {Rule} */
export const addOnly = { mode: 'create', match: 'number' }

/**
 * The choice, of two at most: customers can be found by their number only if the file has numbers.
 * @param {{ rule: Rule, hasNumbers: boolean, choose: (rule: Rule) => void }} parts
 */
export function modeView ({ rule, hasNumbers, choose }) {
  const matches = { ...hasNumbers ? { number: labels.customerid } : {}, name: t('import.byName') }
  return html`<div class="rule">
    ${selectView('mode', { label: t('import.mode'), options: modes(), rule, choose })}
    ${rule.mode === 'create' ? nothing : selectView('match', { label: t('import.match'), options: matches, rule, choose })}
  </div>`
}

const modes = () => ({ create: t('import.create'), update: t('import.update'), upsert: t('import.upsert') })

function selectView (name, { label, options, rule, choose }) {
  const option = ([value, text]) => html`<option value=${value} .selected=${live(value === rule[name])}>${text}</option>`
  return html`<div class="field"><label for="import-${name}">${label}</label>
    <select id="import-${name}" @change=${({ target }) => choose({ ...rule, [name]: target.value })}>
      ${Object.entries(options).map(option)}
    </select></div>`
}
