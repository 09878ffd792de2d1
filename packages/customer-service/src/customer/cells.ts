/** A sign with which a formula may begin; spreadsheets take some full-width ones, and skip line breaks. */
const SIGN = '[=+\\-@＝＋－＠\\t\\r\\n]'
const formula = new RegExp(`^'*${SIGN}`)
const escapedFormula = new RegExp(`^'+${SIGN}`)

/**
 * Marks a cell that spreadsheets would take for a formula (CWE-1236) with an apostrophe: one that begins with a sign of a
 * formula, or with apostrophes before one, so that {@link unescapeCell} finds what there was.
 */
export function escapeCell (value: string): string {
  return formula.test(value) ? `'${value}` : value
}

/** Takes off the apostrophe of {@link escapeCell}. */
export function unescapeCell (cell: string): string {
  return escapedFormula.test(cell) ? cell.slice(1) : cell
}
