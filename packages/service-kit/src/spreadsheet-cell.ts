/** First characters of formulas; spreadsheets accept some full-width ones, and skip line breaks. */
const SIGN = '[=+\\-@＝＋－＠\\t\\r\\n]'
const formula = new RegExp(`^'*${SIGN}`)
const escapedFormula = new RegExp(`^'+${SIGN}`)
/** A text that programs write as a formula, so that spreadsheets do not read a number: `="007"`. */
const formulaOfText = /^="((?:[^"]|"")*)"$/

/** Prefixes a cell that spreadsheets could run as a formula (CWE-1236) with an apostrophe, so that it can be undone. */
export function escapeCell (value: string): string {
  return formula.test(value) ? `'${value}` : value
}

/** Reverses {@link escapeCell}, and reads `="007"` as 007. */
export function unescapeCell (cell: string): string {
  const text = formulaOfText.exec(cell)?.[1]
  if (text !== undefined) return text.replaceAll('""', '"')
  return escapedFormula.test(cell) ? cell.slice(1) : cell
}
