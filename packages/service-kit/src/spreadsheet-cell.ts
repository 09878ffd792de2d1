/** First characters of formulas; spreadsheets accept some full-width ones, and skip line breaks. */
const SIGN = '[=+\\-@＝＋－＠\\t\\r\\n]'
const formula = new RegExp(`^'*${SIGN}`)
const escapedFormula = new RegExp(`^'+${SIGN}`)

/** Prefixes a cell that spreadsheets could run as a formula (CWE-1236) with an apostrophe, so that it can be undone. */
export function escapeCell (value: string): string {
  return formula.test(value) ? `'${value}` : value
}

/** Reverses {@link escapeCell}. */
export function unescapeCell (cell: string): string {
  return escapedFormula.test(cell) ? cell.slice(1) : cell
}
