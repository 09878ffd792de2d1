/** A member of a JSON value, if that is an object. */
export function memberOf (value: unknown, name: string): unknown {
  // as: an object may have any member.
  return value instanceof Object ? (value as Record<string, unknown>)[name] : undefined
}
