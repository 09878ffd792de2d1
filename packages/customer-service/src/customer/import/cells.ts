/**
 * Escapes what spreadsheets would take for a formula (CWE-1236), with an apostrophe. Reversible: a value that looks escaped
 * is escaped, too.
 */
export function escapeCell (value: string): string {
  return /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

/** Takes off the apostrophe of {@link escapeCell}. */
export function unescapeCell (cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell
}
