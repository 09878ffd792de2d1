/** The name of a column: `default_scope` for `defaultScope`. */
export function columnOf (field: string): string {
  return field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
