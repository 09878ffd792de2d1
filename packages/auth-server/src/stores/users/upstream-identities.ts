import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { execute, executeStep, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { upstreamIdentity } from '../../generated/tables.js'
import { createAccessEnd } from '../access/end-access.js'
import { lockUser } from '../access/roles.js'
import { lockAddress } from './lock-address.js'
import { createUserInsertion, type NewUser } from './user-insertion.js'
import { lockVerified, type VerifiedUser } from './verified-user.js'

const CONNECTED = pick(upstreamIdentity, 'issuer', 'createdAt', 'lastUsedAt')

/** The account of a user at an upstream OpenID Provider. */
export type ConnectedIdentity = Row<typeof CONNECTED>

/** An account at an upstream OpenID Provider. `idHash`: SHA-256 of the issuer and the `sub`, base64url. */
type NewIdentity = Pick<Row<typeof upstreamIdentity.columns>, 'idHash' | 'issuer'>

const HOLDER = pick(upstreamIdentity, 'userId')

/** The accounts of users at an upstream OpenID Provider: at most one for each user. An email address never connects one. */
export interface UpstreamIdentities {
  /** The user with an identity: `userId` is `null` if they were erased. Returns `null` for an unknown identity. */
  holder (idHash: string): Promise<Row<typeof HOLDER> | null>
  /** Atomic: records a sign-in. Returns `false` if the identity is not, or no longer, that of the user. */
  use (idHash: string, userId: string, now: Date): Promise<boolean>
  /** The identity of a user; `null`: none. */
  find (userId: string): Promise<ConnectedIdentity | null>
  /**
   * Atomic: connects an identity to a user who proved both. `taken`: another user has the identity, or the user has another one. `ended`:
   * the password was changed or access revoked since it was verified.
   */
  connect (user: VerifiedUser, identity: NewIdentity): Promise<'connected' | 'taken' | 'ended'>
  /**
   * Atomic: adds a user with an identity. `known address`: an account has the address, verified or as its user name. `known identity`: a
   * user has the identity, or had it and was erased.
   */
  addUser (user: NewUser & { readonly email: string }, identity: NewIdentity): Promise<'added' | 'known address' | 'known identity'>
  /**
   * Atomic: disconnects the identity of a user, ends all sessions and revokes all codes and tokens. Returns the user with the next epoch;
   * `null`, with nothing changed, if there is none, or the password was changed or access revoked since it was verified.
   */
  disconnect<U extends VerifiedUser> (user: U): Promise<U | null>
  /** Atomic: the same without the password, for operators. Returns the issuer; `null`, with nothing changed, if there is no identity. */
  remove (userId: string): Promise<string | null>
}

/** Removes the identity of a user. Returns its issuer; `null`: there was none. A step of a transaction that has locked the user. */
export function * removeIdentity (connection: Connection, userId: string): Steps<string | null> {
  const [removed] = yield * queryStep(connection, pick(upstreamIdentity, 'issuer'), sql`
    DELETE FROM upstream_identity WHERE user_id = ${userId} RETURNING issuer`)
  return removed?.issuer ?? null
}

export function openUpstreamIdentities (connection: Connection): UpstreamIdentities {
  const access = createAccessEnd(connection)
  const addUser = createUserInsertion(connection)
  const now = raw(databaseTime(connection))
  const connected = raw(columnNames(CONNECTED))

  /** Returns `false` for a known identity. */
  const add = function * ({ idHash, issuer }: NewIdentity, userId: string | null): Steps<boolean> {
    return (yield * executeStep(connection, sql`
      INSERT INTO upstream_identity (id_hash, user_id, issuer, created_at) VALUES (${idHash}, ${userId}, ${issuer}, ${now})
      ON CONFLICT DO NOTHING`)) === 1
  }

  return {
    async holder (idHash) {
      return (await query(connection, HOLDER, sql`SELECT user_id FROM upstream_identity WHERE id_hash = ${idHash}`))[0] ?? null
    },
    use: async (idHash, userId, time) => await execute(connection, sql`
      UPDATE upstream_identity SET last_used_at = ${time} WHERE id_hash = ${idHash} AND user_id = ${userId}`) === 1,
    async find (userId) {
      return (await query(connection, CONNECTED, sql`SELECT ${connected} FROM upstream_identity WHERE user_id = ${userId}`))[0] ?? null
    },
    connect: (user, identity) => connection.transact(function * (): Steps<'connected' | 'taken' | 'ended'> {
      if (!(yield * lockVerified(connection, user))) return 'ended'
      // Of an erased user: whoever proves it can have it again.
      const adopted = yield * executeStep(connection, sql`
        UPDATE upstream_identity SET user_id = ${user.id}, created_at = ${now}, last_used_at = NULL
        WHERE id_hash = ${identity.idHash} AND user_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM upstream_identity AS own WHERE own.user_id = ${user.id})`)
      return adopted === 1 || (yield * add(identity, user.id)) ? 'connected' : 'taken'
    }),
    addUser: (user, identity) => connection.transact(function * (): Steps<'added' | 'known address' | 'known identity'> {
      if (yield * lockAddress(connection, user.email)) return 'known address'
      // Before the user, so that nothing is to be undone.
      if (!(yield * add(identity, null))) return 'known identity'
      if (yield * addUser(user, [])) {
        yield * executeStep(connection, sql`UPDATE upstream_identity SET user_id = ${user.id} WHERE id_hash = ${identity.idHash}`)
        return 'added'
      }
      yield * executeStep(connection, sql`DELETE FROM upstream_identity WHERE id_hash = ${identity.idHash}`)
      return 'known address'
    }),
    disconnect: user => connection.transact(function * () {
      if (!(yield * lockVerified(connection, user)) || (yield * removeIdentity(connection, user.id)) === null) return null
      return { ...user, epoch: yield * access.steps([{ userId: user.id }]) }
    }),
    remove: userId => connection.transact(function * () {
      yield * lockUser(connection, userId)
      const issuer = yield * removeIdentity(connection, userId)
      if (issuer !== null) yield * access.steps([{ userId }])
      return issuer
    })
  }
}
