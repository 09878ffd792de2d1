/** A member of JSON from another server, if it is an object. */
export function memberOf (value: unknown, name: string): unknown {
  // as: an object may have any member.
  return value instanceof Object ? (value as Record<string, unknown>)[name] : undefined
}
