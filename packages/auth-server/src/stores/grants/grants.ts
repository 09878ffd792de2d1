import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { query, sql } from '@frontdesk/database/sql'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { accessGrant } from '../../generated/tables.js'
import { accessEpoch, grantEpoch, notBefore, withheld } from '../access/live-grant.js'
import { boundGrants } from './grant-bounds.js'

/** The columns of {@link Grant}. */
const GRANT = pick(accessGrant, 'id', 'nonceHash', 'clientId', 'userId', 'responseType', 'scope', 'audience', 'createdAt', 'expiresAt')

/** A grant: what a resource owner has allowed a client. */
type Grant = Row<typeof GRANT>

/** A grant to record. */
export interface NewGrant extends Grant {
  /** Sum of the access epochs of the person, the client, and the person at the client, read before the consent page was shown. */
  readonly epoch: number
  /** Whether it is given without asking: all its scopes, at least one, are remembered. */
  readonly isSilent: boolean
  /** When its access token expires, at the latest; without one, it gives none by itself. */
  readonly tokensEndAt?: Date
}

/** When access tokens may be issued. */
export interface Issuable {
  /** Earliest `iat` of access tokens; `null`: any. */
  readonly notBefore: Date | null
}

/** A grant that was recorded. */
export interface Recorded extends Issuable {
  /** Scopes that the user cannot grant now, space-separated; `null`: none. */
  readonly withheld: string | null
}

/** The grants, with their spent nonces. */
export interface Grants {
  /**
   * Atomic: records a grant and spends its nonce. Exactly one concurrent caller with a nonce succeeds. Returns `null`, with
   * nothing recorded, if the nonce is spent, the epoch has changed, the person or client is disabled, or consent to a silent
   * grant is no longer remembered. Of the silent grants of a person and client the `MAX_SILENT_GRANTS` used last are kept, those
   * of the last minute, and for a while a few more; of the grants of a person with a refresh token the `MAX_REFRESHABLE_GRANTS`
   * used last, those of the last half hour, and for a while a few more.
   */
  add (grant: NewGrant): Promise<Recorded | null>
  /** Whether the nonce is spent. */
  isSpent (nonceHash: string): Promise<boolean>
  /** The person of a grant or of an access token of the implicit grant; `null` if it is unknown. */
  userOf (id: string): Promise<string | null>
}

/** {@link Grants} in a database. Concurrent grants share a statement. */
export function openGrants (connection: Connection): Grants {
  const additions = grantBatch(connection)
  const bound = boundGrants(connection)
  return {
    async add (grant) {
      const given = await additions.run(grant)
      if (given !== null && grant.responseType === 'code') await bound(grant)
      return given
    },
    async isSpent (nonceHash) {
      return (await query(connection, { id: 'string' }, sql`SELECT id FROM access_grant WHERE nonce_hash = ${nonceHash}`)).length > 0
    },
    async userOf (id) {
      const [grant] = await query(connection, { userId: 'string' }, sql`SELECT user_id FROM access_grant WHERE id = ${id}`)
      return grant?.userId ?? null
    }
  }
}

/** Adds grants in batches. */
function grantBatch (connection: Connection): Batcher<NewGrant, Recorded | null> {
  const addition = createGrantAddition(connection)
  return new Batcher(async grants => {
    const added = new Map((await addition.run(grants.map(grantEntry))).map(row => [row.id, row]))
    return grants.map(({ id }) => added.get(id) ?? null)
  }, connection)
}

/** The statement that adds grants. It returns those that were added. */
export function createGrantAddition (connection: Connection) {
  const added = { ...GRANT, ...pick(accessGrant, 'epoch', 'tokensEndAt') }
  const row = { id: 'string', notBefore: 'datetime?', withheld: 'string?' } as const
  // The unique nonce decides: a read before the insert is a race that two callers can win.
  return listStatement(connection, {
    entry: { ...added, silentScopes: 'int' },
    sql: entries => `
      INSERT INTO access_grant (${columnNames(added)}, is_silent)
      SELECT DISTINCT ${columns(added, 'entry')}, entry.silent_scopes > 0 FROM ${entries}
      WHERE entry.epoch = ${grantEpoch('entry.user_id', 'entry.client_id')}
        AND EXISTS (SELECT 1 FROM user_account WHERE user_account.id = entry.user_id AND disabled_at IS NULL)
        AND EXISTS (SELECT 1 FROM client WHERE client.id = entry.client_id AND disabled_at IS NULL)
        AND entry.silent_scopes IN (0, ${rememberedScopes('entry')})
      ORDER BY entry.nonce_hash
      ON CONFLICT DO NOTHING
      RETURNING ${columns(row, 'access_grant', {
        notBefore: notBefore('access_grant.user_id', 'access_grant.client_id'), withheld: withheld('access_grant.user_id')
      })}`,
    row
  })
}

/** The entry of {@link createGrantAddition} for a grant. */
export function grantEntry ({ isSilent, ...grant }: NewGrant) {
  return { tokensEndAt: null, ...grant, silentScopes: isSilent ? grant.scope.split(' ').length : 0 }
}

/** SQL value: how many scopes of an entry are remembered. No LIKE: scopes may hold `%` and `_`. */
function rememberedScopes (entry: string): string {
  return `(SELECT COUNT(*) FROM consent WHERE consent.user_id = ${entry}.user_id AND consent.client_id = ${entry}.client_id
    AND consent.audience = ${entry}.audience AND consent.epoch = ${accessEpoch(`${entry}.user_id`, `${entry}.client_id`)}
    AND replace(' ' || ${entry}.scope || ' ', ' ' || consent.scope || ' ', '') <> ' ' || ${entry}.scope || ' ')`
}
