/**
 * Whether an object in a JSON text repeats a member. Parsers keep either one, so two parsers of the same token could see
 * different claims (RFC 7519 §4, RFC 8725 §2.4).
 * @param json well-formed: in such a text, strings before a colon are member names and nothing else is
 */
export function hasDuplicates (json: string): boolean {
  const written = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length
  return written !== countMembers(JSON.parse(json))
}

function countMembers (value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value).reduce((sum: number, member) => sum + countMembers(member), 0)
  return Array.isArray(value) ? inside : inside + Object.keys(value).length
}
