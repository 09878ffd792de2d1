import type { Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { MAX_INTEGER } from '@frontdesk/schemas/customer'
import { customer, dismissedPair } from '../../generated/tables.js'
import { DAY_MS } from '../../settings/retention.js'
import { COMPARED, findSuspects, MAX_COMPARED, type Compared, type Similarity, type Suspect } from './find-pairs.js'

/** Maximum customers to examine for a page, and at once. */
const MAX_EXAMINED = 5_000
const MAX_EXAMINED_AT_ONCE = 500

/** How long a dismissal holds if no customer of the pair changes. */
const DISMISSED_MS = 365 * DAY_MS

const KEY = pick(customer, 'id', 'nameFold')
const VERSIONED = pick(dismissedPair, 'lowerId', 'higherId', 'lowerVersion', 'higherVersion')

/** After the customers without a name, who are no namesakes. */
const START: Place = { name: '', id: MAX_INTEGER }

/** The folded name and the identifier of a customer: the order of the list. */
export interface Place { readonly name: string, readonly id: number }

/** Two customers that may be one person; the lower identifier first. */
export interface Pair { readonly customers: readonly [Compared, Compared], readonly similar: readonly Similarity[] }

/** @param catchUp resolves when the names of customers that other programs wrote are folded */
export function openDuplicates (connection: Connection, clock: Pick<Clock, 'now'>, catchUp: () => Promise<void>) {
  const findById = listStatement(connection, {
    entry: pick(customer, 'id'),
    sql: entries => `SELECT ${columnNames(COMPARED)} FROM customer WHERE id IN (SELECT entry.id FROM ${entries})`,
    row: COMPARED
  })
  const findDismissed = listStatement(connection, {
    entry: VERSIONED,
    sql: entries => `
      SELECT pair.lower_id, pair.higher_id FROM ${entries} JOIN dismissed_pair AS pair
        ON (${columns(VERSIONED, 'pair')}) = (${columns(VERSIONED, 'entry')})`,
    row: pick(dismissedPair, 'lowerId', 'higherId')
  })
  const insert = listStatement(connection, {
    entry: pick(dismissedPair, 'lowerId', 'higherId', 'expiresAt'),
    // The lock makes an erasure wait, and then remove the pair.
    sql: entries => `
      INSERT INTO dismissed_pair (${columnNames(dismissedPair.columns)})
      SELECT one.id, other.id, one.version, other.version, entry.expires_at
      FROM ${entries} JOIN customer AS one ON one.id = entry.lower_id JOIN customer AS other ON other.id = entry.higher_id
      WHERE true ${connection.dialect === 'postgresql' ? 'FOR KEY SHARE OF one, other' : ''}
      ON CONFLICT (lower_id, higher_id) DO UPDATE
      SET lower_version = excluded.lower_version, higher_version = excluded.higher_version, expires_at = excluded.expires_at
      RETURNING lower_id`,
    row: pick(dismissedPair, 'lowerId')
  })

  return {
    /**
     * Lists pairs of customers that have the same name, ignoring case and accents, and a similar address or age, with bounded work:
     * a page can have fewer pairs than the limit, even none, before the last one. `next`: `after` of the next page.
     */
    async list ({ limit, after = START }: { limit: number, after?: Place | undefined }): Promise<{ pairs: Pair[], next: Place | null }> {
      await catchUp()
      const pairs: Pair[] = []
      let place = after
      let before = after === START ? [] : await findNamesakes(after)
      for (let examined = 0; examined < MAX_EXAMINED; examined += MAX_EXAMINED_AT_ONCE) {
        const keys = await readKeys(place)
        const { suspects, last } = findSuspects(await readNamesakes(keys), before)
        for (const pair of await withoutDismissed(suspects)) {
          pairs.push(pair)
          if (pairs.length === limit) return { pairs, next: placeOf(pair.customers[1]) }
        }
        const end = keys.at(-1)
        if (end === undefined || keys.length < MAX_EXAMINED_AT_ONCE) return { pairs, next: null }
        place = placeOf(end)
        before = last
      }
      return { pairs, next: place }
    },

    /** Removes a pair from the list until one of the two changes, for a year at most. Returns whether both customers exist. */
    async dismiss (ids: readonly [number, number]): Promise<boolean> {
      const expiresAt = new Date(clock.now().getTime() + DISMISSED_MS)
      return (await insert.run([{ lowerId: Math.min(...ids), higherId: Math.max(...ids), expiresAt }])).length > 0
    }
  }

  async function readKeys ({ name, id }: Place) {
    return await query(connection, KEY, sql`
      SELECT ${raw(columnNames(KEY))} FROM customer WHERE (name_fold, id) > (${name}, ${id})
      ORDER BY name_fold, id LIMIT ${raw(`${MAX_EXAMINED_AT_ONCE}`)}`)
  }

  /** Finds the customers with the same name up to a place. */
  async function findNamesakes ({ name, id }: Place): Promise<Compared[]> {
    const rows = await query(connection, COMPARED, sql`
      SELECT ${raw(columnNames(COMPARED))} FROM customer WHERE name_fold = ${name} AND id <= ${id}
      ORDER BY name_fold DESC, id DESC LIMIT ${raw(`${MAX_COMPARED}`)}`)
    return rows.reverse()
  }

  /** Reads the customers whose neighbor in the order has the same name, or is not known. */
  async function readNamesakes (keys: Awaited<ReturnType<typeof readKeys>>): Promise<Compared[]> {
    const isNamesake = (index: number) => {
      const [previous, key, next] = [keys[index - 1], keys[index], keys[index + 1]]
      return previous === undefined || next === undefined || previous.nameFold === key?.nameFold || next.nameFold === key?.nameFold
    }
    const namesakes = keys.filter((_, index) => isNamesake(index))
    const found = new Map((await findById.run(namesakes.map(({ id }) => ({ id })))).map(row => [row.id, row]))
    return namesakes.flatMap(({ id, nameFold }) => {
      const row = found.get(id)
      // Otherwise, it was removed or renamed meanwhile.
      return row?.nameFold === nameFold ? [row] : []
    })
  }

  async function withoutDismissed (suspects: readonly Suspect[]): Promise<Pair[]> {
    const entries = suspects.flatMap(({ customer, candidates }) => candidates.map(({ other }) =>
      ({ lowerId: other.id, higherId: customer.id, lowerVersion: other.version, higherVersion: customer.version })))
    const dismissed = new Set((await findDismissed.run(entries)).map(({ lowerId, higherId }) => `${lowerId} ${higherId}`))
    return suspects.flatMap(({ customer, candidates }) => {
      const first = candidates.find(({ other }) => !dismissed.has(`${other.id} ${customer.id}`))
      return first === undefined ? [] : [{ customers: [first.other, customer] as const, similar: first.similar }]
    })
  }
}

function placeOf ({ nameFold, id }: { nameFold: string | null, id: number }): Place {
  // Never null: the condition on the name excludes it.
  return { name: nameFold ?? '', id }
}
