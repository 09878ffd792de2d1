// Which columns of a table the fields of a customer come from: as the service recognizes them, as last time, or as the user chooses.
import { list, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { live } from '../lit/directives/live.js'
import { labels } from '../register.js'
import { read } from '../state.js'

const key = 'frontdesk.columns'
const fields = Object.keys(labels)
/** Fields that can have the same value for all. */
const fixable = ['customerage', 'customeraddress']
const joinable = ['customername', 'customeraddress']
/** The last source of the number: the service numbers the customers that have none. */
const AUTO = 'auto'

/**
 * @typedef {Record<string, string[]>} Sources of each field: positions of columns, such as `#2`, which are joined, or `=value`; of the
 * number also `auto`
 */

/**
 * The sources at first. `isSure`: none is only a suggestion.
 * @returns {Promise<{ sources: Sources, isSure: boolean }>}
 */
export async function firstSources ({ headings, mapping, missing, suggested }) {
  const last = read(localStorage, key)
  if (last && last.headings === await digest(headings)) return { sources: last.sources, isSure: isComplete(last.sources) }
  const found = { ...suggested, ...mapping }
  const positionsOf = text => headings.flatMap((heading, index) => heading.trim() === text ? [`#${index + 1}`] : [])
  const positionOf = text => /^[=#]/.test(text) ? [text] : positionsOf(text)
  return {
    sources: Object.fromEntries(fields.map(name => [name, (found[name] ?? []).flatMap(positionOf)])),
    isSure: missing.length === 0
  }
}

/** Remembers the sources for the next file with these headings, without texts from the file: without a heading, the first line is data. */
export async function rememberSources ({ headings }, sources) {
  const columns = fields.map(name => [name, sources[name].filter(source => !isFixed(source))])
  localStorage.setItem(key, JSON.stringify({ headings: await digest(headings), sources: Object.fromEntries(columns) }))
}

async function digest (headings) {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(headings)))
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
}

const isFixed = source => source.startsWith('=')

/** Whether each field has a source. @param {Sources} sources */
export const isComplete = sources => fields.every(name => sources[name].length > 0 && !sources[name].includes('='))

/** Whether a column has numbers. @param {Sources} sources */
export const hasNumbers = sources => sources.customerid.some(source => source !== AUTO)

/** Sources whose customers all have no number. @param {Sources} sources */
export const numbered = sources => ({ ...sources, customerid: [AUTO] })

/** The sources, as the parameter `map` of an import. @param {Sources} sources */
export const mapOf = sources => fields.flatMap(name => sources[name].map(source => `${name}:${source}`))

/**
 * What was recognized, the choice of columns, and the first rows.
 * @typedef {{ preview: any, sources: Sources, isOpen: boolean, choose: (sources: Sources) => void }} Parts
 * @param {Parts & { chooseSheet: (name: string) => void }} parts
 */
export function columnsView ({ preview, sources, isOpen, choose, chooseSheet }) {
  const { headings, rows, sheets = [], sheet } = preview
  return html`<details class="columns" ?open=${isOpen}>
    <summary>${t('columns.title')}</summary>
    <p>${recognized(preview)}</p>
    ${sheets.length > 1
      ? html`<div class="field"><label for="columns-sheet">${t('columns.sheet')}</label>
          <select id="columns-sheet" @change=${({ target }) => chooseSheet(target.value)}>
            ${sheets.map(name => html`<option .selected=${live(name === sheet)}>${name}</option>`)}</select></div>`
      : nothing}
    ${fields.map(name => fieldView(name, { headings, sources, choose }))}
    <ul class="lines" tabindex="0" aria-label=${t('columns.first')}>${headings.map((heading, index) =>
      html`<li><b><bdi>${heading}</bdi></b><span>${valuesOf(rows, index)}</span></li>`)}</ul>
  </details>`
}

/** The values of a column that are not empty. */
const valuesOf = (rows, index) => rows.map(row => row[index]).filter(Boolean)
  .map((value, at) => html`${at > 0 ? ' · ' : nothing}<bdi>${value}</bdi>`)

function recognized ({ format, charset, delimiter, headingsLine }) {
  const parts = [
    format.toUpperCase(),
    charset,
    delimiter && t('columns.delimiter', { delimiter: delimiter === '\t' ? 'TAB' : delimiter }),
    headingsLine && t('columns.headingsLine', { number: headingsLine })
  ]
  return t('columns.recognized', { details: list(parts.filter(Boolean)) })
}

function fieldView (name, { headings, sources, choose }) {
  const columns = sources[name].filter(source => source !== AUTO)
  const isNumbered = columns.length < sources[name].length
  const chooseAll = (columns, isNumbered) => choose({ ...sources, [name]: isNumbered ? [...columns, AUTO] : columns })
  const set = (index, value) => {
    const others = [...columns.slice(0, index), value, ...columns.slice(index + 1)].filter(source => source && !isFixed(source))
    chooseAll(isFixed(value) ? [value] : others, isNumbered)
  }
  const shown = columns.length === 0 || (joinable.includes(name) && !columns.some(isFixed)) ? [...columns, ''] : columns
  return html`<div class="field">
    <label for="columns-${name}-0">${labels[name]}</label>
    ${shown.map((source, index) => selectView({ name, index, source, headings, set: value => set(index, value) }))}
    ${columns.some(isFixed)
      ? html`<input aria-label=${t('columns.fixedFor', { field: labels[name] })} autocomplete="off" .value=${live(columns[0].slice(1))}
          @input=${({ target }) => set(0, `=${target.value}`)}>`
      : nothing}
    ${name === 'customerid'
      ? html`<label class="switch"><input type="checkbox" .checked=${live(isNumbered)}
          @change=${({ target }) => chooseAll(columns, target.checked)}>${t('columns.auto')}</label>`
      : nothing}
  </div>`
}

function selectView ({ name, index, source, headings, set }) {
  const chosen = isFixed(source) ? '=' : source
  const option = (value, label) => html`<option value=${value} .selected=${live(value === chosen)}>${label}</option>`
  const labelOf = (heading, position) => heading.trim() || t('columns.number', { number: position + 1 })
  return html`<select id="columns-${name}-${index}" aria-label=${index > 0 ? t('columns.joinTo', { field: labels[name] }) : nothing}
    @change=${({ target }) => set(target.value)}>
    ${option('', t(index > 0 ? 'columns.join' : 'columns.choose'))}
    ${headings.map((heading, position) => option(`#${position + 1}`, labelOf(heading, position)))}
    ${index === 0 && fixable.includes(name) ? option('=', t('columns.fixed')) : nothing}
  </select>`
}
