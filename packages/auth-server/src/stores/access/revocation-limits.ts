import { Batcher } from '@frontdesk/database/batch'
import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { join, query, sql } from '@frontdesk/database/sql'
import { columns, pick } from '@frontdesk/database/table'
import { revocation } from '../../generated/tables.js'
import { createAccessEnd, type Group } from './end-access.js'

/** Whose tokens an entry of the revocation feed revokes; `null`: not known, or a client's own. */
export interface EntryOwner {
  readonly userId: string | null
  readonly clientId: string | null
}

/** Most live entries of a person at a client, of a person, and of a client. */
const MAX_ENTRIES = { pair: 100, person: 1_000, client: 10_000 } as const

/** Entries that a statement removes: more would block SQLite for longer than a request may wait. */
const MAX_REMOVED_PER_STATEMENT = 256

/**
 * Makes the limit of the revocation feed, to be called after an entry was added. Beyond {@link MAX_ENTRIES}, one entry replaces
 * those of the person at the client, of the person, or of the client: it revokes all access tokens that were issued before. Grants
 * stay, so that apps get new access tokens with their refresh tokens.
 */
export function limitRevocations (connection: Connection): (owner: EntryOwner) => Promise<void> {
  const now = databaseTime(connection)
  const count = (where: string, limit: number) =>
    `(SELECT COUNT(*) FROM (SELECT 1 FROM revocation WHERE ${where} AND ends_at > ${now} LIMIT ${limit + 1}) AS found)`
  // Reads a part of an index, however many entries there are.
  const owner = pick(revocation, 'userId', 'clientId')
  const row = { ...owner, pair: 'int', person: 'int', client: 'int' } as const
  const [isOfPerson, isOfClient] = ['revocation.user_id = entry.user_id', 'revocation.client_id = entry.client_id']
  const counts = listStatement(connection, {
    entry: owner,
    sql: entries => `
      SELECT ${columns(row, 'entry', {
        pair: count(`${isOfPerson} AND ${isOfClient}`, MAX_ENTRIES.pair),
        person: count(isOfPerson, MAX_ENTRIES.person),
        client: count(isOfClient, MAX_ENTRIES.client)
      })} FROM ${entries}`,
    row
  })
  const coarsen = createCoarsening(connection)
  const looks = new Batcher(async (owners: EntryOwner[]) => {
    const rows = await counts.run(owners)
    // as: only entries of a client, or of a person, are counted.
    const groups = rows.flatMap(({ userId, clientId, pair, person, client }): Group[] => {
      if (client > MAX_ENTRIES.client) return [{ clientId: clientId as string }]
      if (person > MAX_ENTRIES.person) return [{ userId: userId as string }]
      return pair > MAX_ENTRIES.pair ? [{ userId: userId as string, clientId: clientId as string }] : []
    })
    await Promise.all(groups.map(coarsen))
    return owners.map(() => undefined)
  }, connection)
  return owner => looks.run(owner)
}

/** Makes the replacement of the entries of a group by one. Calls for one group at once share it. */
function createCoarsening (connection: Connection): (group: Omit<Group, 'keepsGrants'>) => Promise<void> {
  const access = createAccessEnd(connection)
  // Not the new entry, nor one of a group whose access has ended again since.
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
    // First: an entry that is committed now revokes tokens that were issued before now, as the new entry does.
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
