import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { query, raw, sql, type Sql } from '@frontdesk/database/sql'
import { setImmediate } from 'node:timers/promises'
import { hasAccess } from '../access/live-grant.js'
import { inTimeOrder, type TimeOrder } from '../access/time-order.js'
import { PROFILE } from './profiles.js'
import { foldUsername, USER, userColumns } from './user-columns.js'

const LISTED = { ...USER, ...PROFILE }

type ListedUser = Row<typeof LISTED>

interface UserQuery {
  /** A part of the user name, a name or the email address, case-insensitive. */
  readonly search?: string | undefined
  /** Only users after this user name. */
  readonly after?: string | undefined
  /** Only users who gave this client access: it has a live grant, or remembered consent. */
  readonly clientId?: string | undefined
  readonly limit?: number
}

export interface UserList {
  /** Users, disabled or not, by user name. */
  list (query?: UserQuery): Promise<ListedUser[]>
  /** Users, disabled or not, by when they were added. @param after cursor from `cursorOf` */
  byTime (order: TimeOrder, page: { readonly after?: string | undefined, readonly limit: number }): Promise<ListedUser[]>
  /** The first user names in order. */
  usernames (limit: number): Promise<string[]>
}

/** The key that a page begins after, and its maximum length. */
interface Page { readonly after: string, readonly limit: number }

interface Part extends Page { readonly columns: string, readonly size: number, readonly parts?: number }

const READ = { users: 'int', last: 'string?', keys: 'string?' } as const

export const MAX_LISTED_USERS = 10_000

/** User names that one statement of a search reads: more would block SQLite for longer than a request can wait. */
const BATCH_SIZE = 4_000

/** Maximum users of a client to sort. If a client has more, the list searches user names in order instead. */
const MAX_SORTED = 1_000
/** The same as {@link BATCH_SIZE}, where each user's access is looked up. */
const ACCESS_BATCH_SIZE = 250

/** Opens the list. The search is in the stored text: SQLite folds the case of ASCII letters only. */
export function openUserList (connection: Connection): UserList {
  const now = raw(databaseTime(connection))
  const position = raw(connection.dialect === 'sqlite' ? 'instr' : 'strpos')
  const listed = raw(userColumns(LISTED))
  const byKey = listStatement(connection, {
    entry: { key: 'string' },
    sql: entries => `
      SELECT ${userColumns(LISTED)} FROM user_account WHERE username_key IN (SELECT entry.key FROM ${entries}) ORDER BY username_key`,
    row: LISTED
  })

  /**
   * Reads user names in order, some at a time, until enough match.
   * @param columns that `isMatch` needs: an index has those of a search
   * @param parts maximum number of reads. `last`: the last name that was read; `null` if there are no more
   */
  async function search (isMatch: Sql, { columns, size, parts = Infinity, after, limit }: Part) {
    const keys: string[] = []
    let last: string | null = after
    for (let part = 0; last !== null && part < parts; part++) {
      // No user name has a line break.
      const [read]: Array<Row<typeof READ>> = await query(connection, READ, sql`
        SELECT COUNT(*), MAX(username_key), string_agg(CASE WHEN ${isMatch} THEN username_key END, ${'\n'}) FROM (
          SELECT username_key, ${raw(columns)} FROM user_account WHERE username_key > ${last} ORDER BY username_key LIMIT ${raw(String(size))}
        ) AS part`)
      keys.push(...read?.keys?.split('\n') ?? [])
      last = read === undefined || read.users < size || keys.length >= limit ? null : read.last
      // Other requests do not wait for the whole search.
      await setImmediate()
    }
    return { users: (await byKey.run(keys.map(key => ({ key })))).slice(0, limit), last }
  }

  /** Searches on PostgreSQL, which reads a whole table three times as fast as through an index. */
  async function searchRows (isMatch: Sql, { after, limit }: Page) {
    const { users, last } = await search(isMatch, { columns: 'search_key', size: BATCH_SIZE, parts: 1, after, limit })
    if (last === null) return users
    // No column has this order: it would read an index.
    return [...users, ...await query(connection, LISTED, sql`
      SELECT ${listed} FROM user_account WHERE ${isMatch} AND username_key || '' > ${last}
      ORDER BY username_key || '' LIMIT ${limit - users.length}`)]
  }

  /** Lists the users of a client. No index has them by name, so up to {@link MAX_SORTED} users are sorted. */
  async function listOf (clientId: string, isMatch: Sql, { after, limit }: Page) {
    const has = (user: Sql) => sql`${isMatch} AND ${hasAccess(user, sql`${clientId}`, now)}`
    const candidates = candidatesOf(clientId)
    const [found] = await query(connection, { users: 'int' }, sql`${candidates} SELECT COUNT(*) FROM candidate`)
    if (found !== undefined && found.users > MAX_SORTED) {
      return (await search(has(sql`part.id`), { columns: 'search_key, id', size: ACCESS_BATCH_SIZE, after, limit })).users
    }
    return await query(connection, LISTED, sql`
      ${candidates} SELECT ${listed} FROM user_account
      WHERE id IN (SELECT user_id FROM candidate) AND username_key > ${after} AND ${has(sql`user_account.id`)} ORDER BY username_key LIMIT ${limit}`)
  }

  return {
    usernames: async limit => (await query(connection, { username: 'string' }, sql`
      SELECT username FROM user_account ORDER BY username_key LIMIT ${limit}`)).map(({ username }) => username),
    byTime (order, { after, limit }) {
      const { where, orderBy } = inTimeOrder(order, after)
      return query(connection, LISTED, sql`SELECT ${listed} FROM user_account WHERE ${where} ORDER BY ${orderBy} LIMIT ${limit}`)
    },
    async list ({ search: text = '', after: username = '', clientId, limit = MAX_LISTED_USERS } = {}) {
      const [sought, after] = [foldUsername(text), foldUsername(username)]
      const isMatch = sought === '' ? sql`true` : sql`${position}(search_key, ${sought}) > 0`
      if (clientId !== undefined) return await listOf(clientId, isMatch, { after, limit })
      if (sought !== '') {
        if (connection.dialect === 'postgresql') return await searchRows(isMatch, { after, limit })
        return (await search(isMatch, { columns: 'search_key', size: BATCH_SIZE, after, limit })).users
      }
      return await query(connection, LISTED, sql`
        SELECT ${listed} FROM user_account WHERE username_key > ${after} ORDER BY username_key LIMIT ${limit}`)
    }
  }
}

/**
 * SQL of `candidate`: the users who ever gave a client access, at most a few more than {@link MAX_SORTED}. A loose index scan, which
 * visits each user, not each grant.
 */
function candidatesOf (clientId: string): Sql {
  const visit = (name: string, table: string) => {
    const [visited, next] = [raw(name), sql`SELECT MIN(user_id) FROM ${raw(table)} WHERE client_id = ${clientId}`]
    return sql`${visited} (user_id, number) AS (
      SELECT (${next}), 1 UNION ALL SELECT (${next} AND user_id > ${visited}.user_id), number + 1
      FROM ${visited} WHERE user_id IS NOT NULL AND number <= ${raw(String(MAX_SORTED))})`
  }
  return sql`WITH RECURSIVE ${visit('granted', 'access_grant')}, ${visit('remembered', 'consent')}, candidate AS (
    SELECT user_id FROM granted WHERE user_id IS NOT NULL UNION SELECT user_id FROM remembered WHERE user_id IS NOT NULL)`
}
