import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { exists, query, sql } from '@frontdesk/database/sql'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { accessGrant } from '../../generated/tables.js'
import { accessEpoch, grantEpoch, mayUse, notBefore, withheld } from '../access/live-grant.js'
import { createGrantLimit } from './grant-bounds.js'

const GRANT = pick(accessGrant, 'id', 'nonceHash', 'clientId', 'userId', 'responseType', 'scope', 'audience', 'createdAt', 'expiresAt')

/** Access that a resource owner has granted a client. */
type Grant = Row<typeof GRANT>

/** A grant to record. */
export interface NewGrant extends Grant {
  /** The {@link grantEpoch}, read before the consent page was shown. */
  readonly epoch: number
  /** Whether the user is not asked: all its scopes, at least one, are remembered. */
  readonly isSilent: boolean
  /** Latest expiry of the access token that the implicit grant issues with it. */
  readonly tokensEndAt?: Date
}

/** Whether access tokens can be issued, and from when on. */
export interface Issuable {
  /** Earliest `iat` of access tokens; `null`: any. */
  readonly notBefore: Date | null
}

/** A recorded grant. */
export interface Recorded extends Issuable {
  /** Scopes that the user cannot grant now, space-separated; `null`: none. */
  readonly withheld: string | null
}

/** Grants, with their spent nonces. */
export interface Grants {
  /**
   * Atomic: records a grant and spends its nonce. Exactly one concurrent caller with a nonce succeeds. Returns `null`, with
   * nothing recorded, if the nonce is spent, the epoch has changed, the user or client is disabled, the user lacks a role that the
   * client requires, or consent to a silent grant is no longer remembered. {@link createGrantLimit} removes grants beyond a number.
   */
  add (grant: NewGrant): Promise<Recorded | null>
  /** Whether the nonce is spent. */
  isSpent (nonceHash: string): Promise<boolean>
  /** Finds the user by the id of a grant, or the `jti` of an access token of the implicit grant. */
  findUserId (id: string): Promise<string | null>
}

/** Opens the store. Concurrent additions share a statement. */
export function openGrants (connection: Connection): Grants {
  const additions = grantBatch(connection)
  const limit = createGrantLimit(connection)
  return {
    async add (grant) {
      const given = await additions.run(grant)
      if (given !== null && grant.responseType === 'code') await limit(grant)
      return given
    },
    isSpent: nonceHash => exists(connection, sql`SELECT 1 FROM access_grant WHERE nonce_hash = ${nonceHash}`),
    async findUserId (id) {
      const [grant] = await query(connection, { userId: 'string' }, sql`SELECT user_id FROM access_grant WHERE id = ${id}`)
      return grant?.userId ?? null
    }
  }
}

function grantBatch (connection: Connection): Batcher<NewGrant, Recorded | null> {
  const addition = createGrantAddition(connection)
  return new Batcher(async grants => {
    const added = new Map((await addition.run(grants.map(grantEntry))).map(row => [row.id, row]))
    return grants.map(({ id }) => added.get(id) ?? null)
  }, connection)
}

/** The statement that adds grants, and returns those that were added. */
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
        AND ${mayUse('entry.user_id', 'entry.client_id')}
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

/** SQL value: how many scopes of an entry are remembered. Without LIKE, since scopes can contain `%` and `_`. */
function rememberedScopes (entry: string): string {
  return `(SELECT COUNT(*) FROM consent WHERE consent.user_id = ${entry}.user_id AND consent.client_id = ${entry}.client_id
    AND consent.audience = ${entry}.audience AND consent.epoch = ${accessEpoch(`${entry}.user_id`, `${entry}.client_id`)}
    AND replace(' ' || ${entry}.scope || ' ', ' ' || consent.scope || ' ', '') <> ' ' || ${entry}.scope || ' ')`
}
