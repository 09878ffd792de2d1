/**
 * Marks a cell that spreadsheets would take for a formula (CWE-1236) with an apostrophe: one that begins with a sign of a
 * formula, or with apostrophes before one, so that {@link unescapeCell} finds what there was.
 */
export function escapeCell (value: string): string {
  return /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

/** Takes off the apostrophe of {@link escapeCell}. */
export function unescapeCell (cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}
