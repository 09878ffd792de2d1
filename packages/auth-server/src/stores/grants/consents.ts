import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { consent } from '../../generated/tables.js'
import { accessEpoch, liveGrant } from '../access/live-grant.js'

/** Scopes that a user has granted a client. */
interface Consent {
  readonly userId: string
  readonly clientId: string
  /** The resource server. */
  readonly audience: string
  /** Not empty. */
  readonly scope: readonly string[]
  readonly allowedAt: Date
}

type ConsentKey = Pick<Consent, 'userId' | 'clientId' | 'audience'>

interface NewConsent extends Consent {
  /** SHA-256 of its grant's nonce. */
  readonly nonceHash: string
}

/** Remembered consent: users are not asked for the same scopes again. */
export interface Consents {
  /** The remembered scopes. */
  find (key: ConsentKey): Promise<string[]>
  /**
   * Atomic: remembers scopes if their grant is live. Scopes that are already remembered keep their time. Keeps about 100 scopes
   * of each user and client at most.
   */
  add (consent: NewConsent): Promise<void>
}

/** Maximum scopes of one user and client: rows that never expire need a limit. */
const MAX_SCOPES = 100

/** Opens the store. Each scope has its own row, so that concurrent consents do not overwrite each other. */
export function openConsents (connection: Connection): Consents {
  const current = (consent: string) => `${consent}.epoch = ${accessEpoch(`${consent}.user_id`, `${consent}.client_id`)}`
  const row = pick(consent, 'userId', 'clientId', 'audience', 'scope')
  const search = listStatement(connection, {
    entry: pick(consent, 'userId', 'clientId', 'audience'),
    sql: entries => `
      SELECT DISTINCT ${columns(row, 'consent')} FROM consent
      JOIN ${entries} ON consent.user_id = entry.user_id AND consent.client_id = entry.client_id AND consent.audience = entry.audience
      WHERE ${current('consent')}`,
    row
  })
  const searches = new Batcher(async (keys: ConsentKey[]) => {
    const rows = await search.run(keys)
    return keys.map(key => rows.filter(row => isSame(row, key)).map(({ scope }) => scope))
  }, connection)
  const { epoch: _, ...added } = consent.columns
  const addition = listStatement(connection, {
    entry: { ...added, nonceHash: 'string' },
    sql: entries => `
    INSERT INTO consent (${columnNames(added)}, epoch)
    SELECT DISTINCT ${columns(added, 'entry')}, ${accessEpoch('entry.user_id', 'entry.client_id')} FROM ${entries}
    WHERE (SELECT COUNT(*) FROM consent AS kept
        WHERE kept.user_id = entry.user_id AND kept.client_id = entry.client_id AND ${current('kept')}) < ${MAX_SCOPES}
      AND ${correlatedExists(`access_grant AS given WHERE given.nonce_hash = entry.nonce_hash
        AND given.user_id = entry.user_id AND given.client_id = entry.client_id AND ${liveGrant('given')}`)}
    ORDER BY entry.scope
    ON CONFLICT (user_id, client_id, audience, scope) DO UPDATE SET allowed_at = excluded.allowed_at, epoch = excluded.epoch
      WHERE consent.epoch < excluded.epoch`
  })
  return {
    find: key => searches.run(key),
    async add ({ scope: scopes, ...consent }) {
      await addition.run(scopes.map(scope => ({ ...consent, scope })))
    }
  }
}

function isSame (one: ConsentKey, other: ConsentKey): boolean {
  return one.userId === other.userId && one.clientId === other.clientId && one.audience === other.audience
}
