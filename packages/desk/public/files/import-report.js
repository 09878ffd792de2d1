// What the check of a file found: how many customers can be imported, and the errors by line.
import { count, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { labels, violationOf } from '../register.js'

const MAX_LINES = 10

/** Renders the report of a dry run. */
export function reportView ({ lines, registered, failed, errors, warned, warnings }) {
  if (lines === 0) return html`<p>${t('import.noCustomers')}</p>`
  const found = failed === 0
    ? t('import.good', { count: registered })
    : t('import.partly', {
      good: t('import.importable', { count: lines, good: count(registered) }), failed: t('import.failed', { count: failed })
    })
  return html`<p>${found}</p>
    ${linesView(t('import.linesWithErrors'), errors, failed)}
    ${warned > 0 ? html`<p>${t('import.doubts', { count: warned })}</p>` : nothing}
    ${linesView(t('import.linesToCheck'), warnings, warned)}`
}

function linesView (label, lines, total) {
  if (total === 0) return nothing
  const sentence = error => {
    const field = labels[error.field]
    return html`<span dir="auto">${field ? t('import.lineError', { field, error: violationOf(error) }) : violationOf(error)}</span>`
  }
  return html`<ul class="lines" tabindex="0" aria-label=${label}>${lines.slice(0, MAX_LINES).map(({ line, errors }) =>
      html`<li><b>${t('import.line', { number: line })}</b>${errors.map(sentence)}</li>`)}</ul>
    ${total > MAX_LINES ? html`<p>${t('moreItems', { count: total - MAX_LINES })}</p>` : nothing}`
}
