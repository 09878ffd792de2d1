import { Batcher } from '@frontdesk/database/batch'
import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { join, query, sql } from '@frontdesk/database/sql'
import { columns, pick } from '@frontdesk/database/table'
import { revocation } from '../../generated/tables.js'
import { createAccessEnd, type Group } from './end-access.js'

/** The user and client whose tokens a feed entry revokes; `null`: unknown, or a client's own token. */
export interface EntryOwner {
  readonly userId: string | null
  readonly clientId: string | null
}

/** Maximum live entries of a user at a client, of a user, and of a client. */
const MAX_ENTRIES = { pair: 100, user: 1_000, client: 10_000 } as const

/** Maximum entries that a statement removes: more would block SQLite for longer than a request can wait. */
const MAX_REMOVED_PER_STATEMENT = 256

/**
 * Makes the limit of the revocation feed, to be called after an entry was added. Beyond {@link MAX_ENTRIES}, one entry replaces
 * those of the user at the client, of the user, or of the client: it revokes all access tokens issued before. Grants stay live, so
 * that clients get new access tokens with their refresh tokens.
 */
export function createRevocationLimit (connection: Connection): (owner: EntryOwner) => Promise<void> {
  const now = databaseTime(connection)
  const count = (where: string, limit: number) =>
    `(SELECT COUNT(*) FROM (SELECT 1 FROM revocation WHERE ${where} AND ends_at > ${now} LIMIT ${limit + 1}) AS found)`
  // Reads a part of an index, however many entries there are.
  const owner = pick(revocation, 'userId', 'clientId')
  const row = { ...owner, pair: 'int', user: 'int', client: 'int' } as const
  const [isUsers, isClients] = ['revocation.user_id = entry.user_id', 'revocation.client_id = entry.client_id']
  const counts = listStatement(connection, {
    entry: owner,
    sql: entries => `
      SELECT ${columns(row, 'entry', {
        pair: count(`${isUsers} AND ${isClients}`, MAX_ENTRIES.pair),
        user: count(isUsers, MAX_ENTRIES.user),
        client: count(isClients, MAX_ENTRIES.client)
      })} FROM ${entries}`,
    row
  })
  const coarsen = createCoarsening(connection)
  const checks = new Batcher(async (owners: EntryOwner[]) => {
    const pairs = new Map(owners.map(owner => [`${owner.userId} ${owner.clientId}`, owner]))
    const rows = await counts.run([...pairs.values()])
    // as: only entries with a client, or a user, are counted.
    const groups = rows.flatMap(({ userId, clientId, pair, user, client }): Group[] => {
      if (client > MAX_ENTRIES.client) return [{ clientId: clientId as string }]
      if (user > MAX_ENTRIES.user) return [{ userId: userId as string }]
      return pair > MAX_ENTRIES.pair ? [{ userId: userId as string, clientId: clientId as string }] : []
    })
    await Promise.all(groups.map(coarsen))
    return owners.map(() => undefined)
  }, connection)
  return owner => checks.run(owner)
}

/** Makes the replacement of a group's entries by one. Single-flight: concurrent calls for one group share it. */
function createCoarsening (connection: Connection): (group: Omit<Group, 'keepsGrants'>) => Promise<void> {
  const access = createAccessEnd(connection)
  // Keeps the new entry, and those of groups that were revoked again since.
  const removal = listStatement(connection, {
    entry: { id: 'string', userId: 'string', clientId: 'string' },
    sql: entries => `
      DELETE FROM revocation WHERE id IN (
        SELECT revocation.id FROM revocation JOIN ${entries} ON revocation.id = entry.id
        JOIN access_epoch AS ended ON ended.user_id = entry.user_id AND ended.client_id = entry.client_id
        WHERE revocation.not_before IS NULL OR revocation.not_before < ended.not_before
        ${lockInOrder(connection, 'revocation.id', 'FOR UPDATE OF revocation')})`
  })
  const underway = new Map<string, Promise<void>>()

  async function coarsen ({ userId = '', clientId = '' }: Omit<Group, 'keepsGrants'>) {
    const owned = [...userId === '' ? [] : [sql`user_id = ${userId}`], ...clientId === '' ? [] : [sql`client_id = ${clientId}`]]
    // Read first: the new entry revokes all tokens that the entries committed by now revoke.
    const covered = await query(connection, { id: 'string' }, sql`
      SELECT id FROM revocation WHERE ${join(owned, ' AND ')} LIMIT ${2 * MAX_ENTRIES.client}`)
    await connection.transact(() => access.steps([{ userId, clientId, keepsGrants: true }]))
    for (let at = 0; at < covered.length; at += MAX_REMOVED_PER_STATEMENT) {
      await removal.run(covered.slice(at, at + MAX_REMOVED_PER_STATEMENT).map(({ id }) => ({ id, userId, clientId })))
    }
  }
  return async group => {
    const key = JSON.stringify(group)
    const shared = underway.get(key) ?? coarsen(group).finally(() => underway.delete(key))
    underway.set(key, shared)
    await shared
  }
}
