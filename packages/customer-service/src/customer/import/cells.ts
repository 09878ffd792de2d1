/**
 * Takes off the apostrophe with which an export marks a cell that spreadsheets would take for a formula (CWE-1236): a value
 * that begins with a sign of a formula, or with apostrophes before one.
 */
export function unescapeCell (cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}
