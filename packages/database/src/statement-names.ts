import { createHash } from 'node:crypto'

/** Maximum named statements: each takes memory of PostgreSQL. */
const MAX_NAMES = 200

/** Names each statement by its hash, because a name must mean the same on each connection of a pooler. */
export function nameStatements () {
  const names = new Map<string, string>()
  return ({ sql }: { sql: string }): string => {
    const known = names.get(sql)
    if (known !== undefined) return known
    // An empty name is an unnamed statement, which is prepared for one use.
    if (names.size === MAX_NAMES) return ''
    const name = `frontdesk_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`
    names.set(sql, name)
    return name
  }
}
