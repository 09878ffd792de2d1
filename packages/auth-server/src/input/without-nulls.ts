/**
 * Removes the members of JSON that are null, in place and at every level: null means absent. Entries of arrays stay.
 * @param value parsed, and of limited depth; can refer to itself, as in YAML
 */
export function withoutNulls<T> (value: T): T {
  removeNulls(value, new Set())
  return value
}

function removeNulls (value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const [name, member] of Object.entries(value)) {
    if (member === null && !Array.isArray(value)) Reflect.deleteProperty(value, name)
    else removeNulls(member, seen)
  }
}
