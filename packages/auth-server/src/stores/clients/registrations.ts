import type { Connection } from '@frontdesk/database/connection'
import { executeStep, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { transactOr } from '@frontdesk/database/transact-or'
import type { Client } from '../../oauth/client.js'
import { createAccessEnd } from '../access/end-access.js'
import { spendToken } from './registration-tokens.js'
import { createTokenRemoval } from './client-access.js'
import { createClientChanges, type ClientChanges } from './client-changes.js'
import { keepsKeys } from './client-documents.js'
import { COLUMNS, columns, readClient, toClient, type NewClient } from './client-row.js'
import { isFull, openClientUse, type ClientUse } from './client-use.js'
import type { ClientChange } from './clients.js'

/** An app that registers itself. Hashes are SHA-256, base64url. */
export interface Registration {
  readonly client: NewClient
  /** Grants that it can register for. */
  readonly registrableGrants: readonly string[]
  /** Of its registration access token. */
  readonly registrationHash: string
  /** Of its secret; `undefined`: it gets none. */
  readonly secretHash: string | undefined
  /** Of the initial access token; `undefined`: it needs none. */
  readonly tokenHash: string | undefined
}

/** An app that manages its registration. */
interface ManagedClient {
  readonly client: Client
  /** Grants that it can register for: what an operator or its initial access token allowed, whatever it registered for since. */
  readonly registrableGrants: readonly string[]
  /** Whether the registration access token is the present one; if not, it is the one before, and counts once more. */
  readonly isPresent: boolean
}

/** What an app changes of its registration. */
export interface Replacement extends Pick<Registration, 'registrationHash' | 'secretHash'> {
  readonly clientId: string
  /** Of the registration access token that it has shown, and whether that was the present one. */
  readonly shown: { readonly hash: string, readonly isPresent: boolean }
  readonly change: Omit<ClientChange, 'logo' | 'policy'> & { readonly implicit?: 'off' }
  /** Whether it authenticates with a secret: if not, its secrets are removed. */
  readonly hasSecret: boolean
}

/** Apps that register themselves (RFC 7591), and manage their registration (RFC 7592) until an operator adopts or disables them. */
export interface Registrations extends ClientUse {
  /**
   * Atomic: spends the initial access token and adds the app with its secret. Of concurrent callers with a single-use token
   * exactly one succeeds. Changes nothing if the token is `spent`, or `full`: about 10,000 apps registered without one.
   */
  register (registration: Registration, now: Date): Promise<'registered' | 'spent' | 'full'>
  /**
   * The app that the registration access token manages, never from a cache; `null`: none. The first use of a token ends the one
   * before it.
   */
  find (clientId: string, registrationHash: string): Promise<ManagedClient | null>
  /** Atomic: replaces a token again after its response was lost. Exactly one concurrent caller gets `true`. */
  renew (clientId: string, previousHash: string, registrationHash: string): Promise<boolean>
  /**
   * Atomic: changes the app and its registration access token. Of concurrent callers with one token exactly one gets the changed
   * app, all others `null`. `bound`, with nothing changed: it would give up its keys.
   */
  replace (replacement: Replacement, now: Date): Promise<Client | null | 'bound'>
  /** Atomic: removes the app, and revokes all its codes and tokens. Returns `false` if the token does not manage it. */
  remove (clientId: string, registrationHash: string): Promise<boolean>
}

/** {@link Registrations} in a database. */
export function openRegistrations (connection: Connection): Registrations {
  const access = createAccessEnd(connection)
  const changes = createClientChanges(connection, access)
  const removeTokens = createTokenRemoval(connection)
  const COLUMNS_OF_MANAGED = { ...COLUMNS, registrableGrants: 'string?', isPresent: 'boolean', hasPrevious: 'boolean' } as const
  const first = async (id: Sql) => (await query(connection, { id: 'string' }, id))[0]

  return {
    ...openClientUse(connection, changes),
    register: ({ client, registrableGrants, registrationHash, secretHash, tokenHash }, now) =>
      connection.transact(function * (): Steps<'registered' | 'spent' | 'full'> {
        if (tokenHash === undefined) {
          if (yield * isFull(connection, 'open')) return 'full'
        } else if (!(yield * spendToken(connection, tokenHash, now))) return 'spent'
        const registeredBy = tokenHash === undefined ? 'open' : 'token'
        yield * changes.add({ ...client, registeredBy }, { registrationHash, registrableGrants: registrableGrants.join(' ') })
        yield * addSecret(connection, client.id, secretHash, now)
        return 'registered'
      }),
    async find (clientId, registrationHash) {
      if (clientId.includes('\0')) return null
      const [found] = await query(connection, COLUMNS_OF_MANAGED, sql`
        SELECT ${raw(columns)}, registrable_grants, registration_hash = ${registrationHash}, previous_registration_hash IS NOT NULL
        FROM client WHERE ${isManagedBy(clientId, registrationHash)}`)
      if (found === undefined) return null
      const { registrableGrants, isPresent, hasPrevious, ...row } = found
      if (isPresent && hasPrevious) {
        await first(sql`
        UPDATE client SET previous_registration_hash = NULL WHERE id = ${clientId} AND registration_hash = ${registrationHash} RETURNING id`)
      }
      return { client: toClient(row), registrableGrants: wordsOf(registrableGrants), isPresent }
    },
    async renew (clientId, previousHash, registrationHash) {
      return await first(sql`
        UPDATE client SET registration_hash = ${registrationHash}, previous_registration_hash = NULL
        WHERE ${isManagedBy(clientId, previousHash)} AND previous_registration_hash = ${previousHash} RETURNING id`) !== undefined
    },
    replace: (replacement, now) => connection.transact(() => replaceRegistration(connection, changes, replacement, now)),
    async remove (clientId, registrationHash) {
      // Leaves nothing in the access epochs, which are kept permanently: anyone can register and remove apps.
      const unused = sql`DELETE FROM client WHERE ${isManagedBy(clientId, registrationHash)} AND registered_by = 'open' AND used_at IS NULL RETURNING id`
      if (await first(unused) !== undefined) return true
      if (await first(sql`SELECT id FROM client WHERE ${isManagedBy(clientId, registrationHash)}`) === undefined) return false
      return await transactOr<boolean, boolean>(connection, function * (rolledBack) {
        yield * removeTokens([clientId])
        const removed = yield * executeStep(connection, sql`DELETE FROM client WHERE ${isManagedBy(clientId, registrationHash)}`)
        if (removed === 0) throw rolledBack(false)
        yield * access.steps([{ clientId }])
        return true
      })
    }
  }
}

function * replaceRegistration (
  connection: Connection, changes: ClientChanges, replacement: Replacement, now: Date
): Steps<Client | null | 'bound'> {
  const { clientId, shown, registrationHash, secretHash, change, hasSecret } = replacement
  const keeps = change.tokenEndpointAuthMethod === undefined ? sql`TRUE` : keepsKeys(change.tokenEndpointAuthMethod)
  // First: the row lock orders concurrent changes, and the hash allows only one of them.
  const [managed] = yield * queryStep(connection, { registrableGrants: 'string?' }, sql`
    UPDATE client SET registration_hash = ${registrationHash}, previous_registration_hash = ${shown.isPresent ? shown.hash : null}
    WHERE ${isManagedBy(clientId, shown.hash)} AND (registration_hash = ${shown.hash}) = ${shown.isPresent} AND ${keeps}
    RETURNING registrable_grants`)
  if (managed === undefined) {
    const bound = yield * queryStep(connection, { id: 'string' }, sql`
      SELECT id FROM client WHERE ${isManagedBy(clientId, shown.hash)} AND NOT ${keeps}`)
    return bound.length === 1 ? 'bound' : null
  }
  // An operator may have taken one away since the request was read.
  const registrable = wordsOf(managed.registrableGrants)
  const grantTypes = change.grantTypes?.filter(it => registrable.includes(it))
  yield * changes.change(clientId, { ...change, ...(grantTypes && { grantTypes }) })
  if (!hasSecret) yield * queryStep(connection, {}, sql`DELETE FROM client_secret WHERE client_id = ${clientId}`)
  yield * addSecret(connection, clientId, secretHash, now)
  return yield * readClient(connection, clientId)
}

function * addSecret (connection: Connection, clientId: string, hash: string | undefined, createdAt: Date): Steps<void> {
  if (hash === undefined) return
  yield * queryStep(connection, {}, sql`
    INSERT INTO client_secret (client_id, slot, hash, created_at) VALUES (${clientId}, 1, ${hash}, ${createdAt}) ON CONFLICT DO NOTHING`)
}

function wordsOf (text: string | null): string[] {
  return text?.split(' ') ?? []
}

/** Condition of a row: the app registered itself, and no operator has adopted or disabled it. */
function isManagedBy (clientId: string, hash: string): Sql {
  return sql`id = ${clientId} AND (registration_hash = ${hash} OR previous_registration_hash = ${hash})
    AND registered_by IN ('token', 'open') AND disabled_at IS NULL`
}
