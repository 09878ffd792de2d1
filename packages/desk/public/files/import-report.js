// What the check of a file found: how many customers can be imported, what would change, and the errors by line.
import { count, list, rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { moreView } from '../parts/parts.js'
import { labels, violationOf } from '../register.js'

const MAX_LINES = 10

/** Number of customers that an import adds or changes. */
export const changed = ({ registered, updated }) => registered + updated

/**
 * What an import did.
 * @param {import('../customer-client.js').ImportReport} report
 * @param {import('./import-mode.js').Rule} rule
 */
export function doneSentence (report, { mode }) {
  const { registered, failed } = report
  if (mode !== 'create') return t('import.changed', countsOf(report))
  return t(failed > 0 ? 'import.doneWithErrors' : 'import.done', { count: registered, failed: count(failed) })
}

/**
 * Renders the report of a dry run.
 * @param {import('../customer-client.js').ImportReport} report
 * @param {import('./import-mode.js').Rule} rule
 */
export function reportView (report, { mode }) {
  const { lines, failed, errors, warned = 0, warnings = [], changes = [], updated } = report
  if (lines === 0) return html`<p>${t('import.noCustomers')}</p>`
  return html`<p>${mode === 'create' ? addedSentence(report) : t('import.changes', countsOf(report))}</p>
    ${linesView(t('import.linesWithErrors'), errors, failed)}
    ${changesView(changes, updated)}
    ${warned > 0 ? html`<p>${t('import.doubts', { count: warned })}</p>` : nothing}
    ${linesView(t('import.linesToCheck'), warnings, warned)}`
}

const countsOf = ({ registered, updated, unchanged, failed }) =>
  ({ added: count(registered), updated: count(updated), unchanged: count(unchanged), failed: count(failed) })

function addedSentence ({ lines, registered, failed }) {
  if (failed === 0) return t('import.good', { count: registered })
  return t('import.partly', {
    good: t('import.importable', { count: lines, good: count(registered) }), failed: t('import.failed', { count: failed })
  })
}

function changesView (changes, updated) {
  if (changes.length === 0) return nothing
  const difference = ([name, values]) => html`<span>${rich('import.difference', { field: labels[name], ...values })}</span>`
  return html`<ul class="lines" tabindex="0" aria-label=${t('import.differences')}>${changes.map(({ line, customerid, fields }) =>
      html`<li><b>${t('import.line', { number: line })} · ${t('customer.number', { number: customerid })}</b>
        ${Object.entries(fields).map(difference)}</li>`)}</ul>
    ${moreView(updated - changes.length)}`
}

function linesView (label, lines, total) {
  if (total === 0) return nothing
  const sentence = error => {
    const field = labels[error.field]
    return html`<span dir="auto">${field ? t('import.lineError', { field, error: violationOf(error) }) : violationOf(error)}</span>`
  }
  return html`<ul class="lines" tabindex="0" aria-label=${label}>${lines.slice(0, MAX_LINES).map(({ line, customers = [], errors }) =>
      html`<li><b>${t('import.line', { number: line })}</b>${errors.map(sentence)}${numbersView(customers)}</li>`)}</ul>
    ${moreView(total - MAX_LINES)}`
}

/** The customers that explain an error. */
const numbersView = customers => customers.length === 0
  ? nothing
  : html`<span>${list(customers.map(number => t('customer.number', { number })))}</span>`
