import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { leastTimeId } from '@frontdesk/service-kit/time-id'
import { CONSOLE_ID } from '../../oauth/console-client.js'
import { boundedCount, MAX_COUNTED } from '../access/bounded-count.js'

/** Opens the counts for the first page of the console. */
export function openOverview (connection: Connection) {
  const row = { users: 'int', clients: 'int', selfRegistered: 'int' } as const
  return {
    /**
     * Users, clients, the enabled clients that registered themselves, and the newest sign-ins of a period. Each count is at most
     * {@link MAX_COUNTED} + 1.
     */
    async read (since: Date) {
      const [[counts], outcomes] = await Promise.all([
        query(connection, row, sql`
          SELECT ${boundedCount('user_account')} AS users, ${boundedCount(`client WHERE id <> '${CONSOLE_ID}'`)} AS clients,
            ${boundedCount("client WHERE registered_by <> 'operator' AND disabled_at IS NULL")} AS self_registered`),
        query(connection, { outcome: 'string', events: 'int' }, sql`
          SELECT outcome, COUNT(*) FROM (
            SELECT outcome FROM audit WHERE event = 'sign-in' AND id >= ${leastTimeId(since)} ORDER BY id DESC LIMIT ${MAX_COUNTED + 1}
          ) AS attempt GROUP BY outcome`)
      ])
      const sum = (isCounted: (outcome: string) => boolean) =>
        outcomes.reduce((total, { outcome, events }) => isCounted(outcome) ? total + events : total, 0)
      return {
        ...counts!,
        signIns: sum(outcome => outcome === 'signed in'),
        failedSignIns: sum(outcome => outcome !== 'signed in')
      }
    },
    /** The number of users, at most {@link MAX_COUNTED} + 1. */
    async users (): Promise<number> {
      return (await query(connection, { users: 'int' }, sql`SELECT ${boundedCount('user_account')} AS users`))[0]?.users ?? 0
    }
  }
}
