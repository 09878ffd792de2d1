import type { Connection } from '@frontdesk/database/connection'
import { execute, executeStep, exists, existsStep, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { transactOr } from '@frontdesk/database/transact-or'
import type { Client } from '../../oauth/client.js'
import { createAccessEnd } from '../access/end-access.js'
import { spendToken } from './registration-tokens.js'
import { createTokenRemoval } from './client-access.js'
import { createClientChanges, type ClientChanges } from './client-changes.js'
import { keepsKeys } from './client-documents.js'
import { fitSecrets, type FirstSecret } from './client-secrets.js'
import { COLUMNS, columns, findClientStep, toClient, type NewClient } from './client-row.js'
import { isFull, openClientUse, type ClientUse } from './client-use.js'
import type { ClientChange } from './clients.js'

/** A client that registers itself. Hashes are SHA-256, base64url. */
export interface Registration {
  readonly client: NewClient
  /** Grant types that it can register for. */
  readonly registrableGrants: readonly string[]
  /** Hash of its registration access token. */
  readonly registrationHash: string
  readonly firstSecret: FirstSecret
  /** Hash of the initial access token; `undefined`: it needs none. */
  readonly tokenHash: string | undefined
}

/** A client that manages its registration. */
interface ManagedClient {
  readonly client: Client
  /** Grant types that an operator or its initial access token allowed, whatever it has registered for since. */
  readonly registrableGrants: readonly string[]
  /** Whether the registration access token is the current one; else it is the previous one, which can be used once more. */
  readonly isCurrent: boolean
}

/** A client's update of its registration. */
export interface Replacement extends Pick<Registration, 'registrationHash'> {
  readonly clientId: string
  /** Hash of the presented registration access token, and whether it was the current one. */
  readonly shown: { readonly hash: string, readonly isCurrent: boolean }
  readonly change: Omit<ClientChange, 'logo' | 'policy'> & { readonly implicit?: 'off' }
}

/** Clients that register themselves (RFC 7591), and manage their registration (RFC 7592) until an operator adopts or disables them. */
export interface Registrations extends ClientUse {
  /**
   * Atomic: spends the initial access token, and adds the client with its secret. Exactly one concurrent caller with a single-use
   * token succeeds. Changes nothing if the token is `spent`, or `full`: about 10,000 clients registered without one.
   */
  register (registration: Registration, now: Date): Promise<'registered' | 'spent' | 'full'>
  /**
   * The client that the registration access token manages, never from a cache; `null` if there is none. The first use of a token
   * invalidates the previous one.
   */
  find (clientId: string, registrationHash: string): Promise<ManagedClient | null>
  /** Atomic: replaces a token again after its response was lost. Exactly one concurrent caller gets `true`. */
  renew (clientId: string, previousHash: string, registrationHash: string): Promise<boolean>
  /**
   * Atomic: changes the client and its registration access token. Exactly one concurrent caller with the token gets the changed
   * client, the others `null`. `bound`, with nothing changed: the client would give up its keys.
   */
  replace (replacement: Replacement): Promise<Client | null | 'bound'>
  /** Atomic: removes the client, and revokes all its codes and tokens. Returns `false` if the token does not manage it. */
  remove (clientId: string, registrationHash: string): Promise<boolean>
}

export function openRegistrations (connection: Connection): Registrations {
  const access = createAccessEnd(connection)
  const changes = createClientChanges(connection, access)
  const removeTokens = createTokenRemoval(connection)
  const COLUMNS_OF_MANAGED = { ...COLUMNS, registrableGrants: 'string?', isCurrent: 'boolean', hasPrevious: 'boolean' } as const
  return {
    ...openClientUse(connection, changes),
    register: ({ client, registrableGrants, registrationHash, firstSecret, tokenHash }, now) =>
      connection.transact(function * (): Steps<'registered' | 'spent' | 'full'> {
        if (tokenHash === undefined) {
          if (yield * isFull(connection, 'open')) return 'full'
        } else if (!(yield * spendToken(connection, tokenHash, now))) return 'spent'
        const registeredBy = tokenHash === undefined ? 'open' : 'token'
        yield * changes.add({ ...client, registeredBy }, { registrationHash, registrableGrants: registrableGrants.join(' ') })
        if (firstSecret !== null) yield * fitSecrets(connection, client.id, firstSecret)
        return 'registered'
      }),
    async find (clientId, registrationHash) {
      if (clientId.includes('\0')) return null
      const [found] = await query(connection, COLUMNS_OF_MANAGED, sql`
        SELECT ${raw(columns)}, registrable_grants, registration_hash = ${registrationHash}, previous_registration_hash IS NOT NULL
        FROM client WHERE ${isManagedBy(clientId, registrationHash)}`)
      if (found === undefined) return null
      const { registrableGrants, isCurrent, hasPrevious, ...row } = found
      if (isCurrent && hasPrevious) {
        await execute(connection, sql`
          UPDATE client SET previous_registration_hash = NULL WHERE id = ${clientId} AND registration_hash = ${registrationHash}`)
      }
      return { client: toClient(row), registrableGrants: parseWords(registrableGrants), isCurrent }
    },
    renew: async (clientId, previousHash, registrationHash) => await execute(connection, sql`
      UPDATE client SET registration_hash = ${registrationHash}, previous_registration_hash = NULL
      WHERE ${isManagedBy(clientId, previousHash)} AND previous_registration_hash = ${previousHash}`) === 1,
    replace: replacement => connection.transact(() => replaceRegistration(connection, changes, replacement)),
    async remove (clientId, registrationHash) {
      const managed = sql`client WHERE ${isManagedBy(clientId, registrationHash)}`
      // Without an access epoch, which would stay permanently: anyone can register and remove clients.
      if (await execute(connection, sql`DELETE FROM ${managed} AND registered_by = 'open' AND used_at IS NULL`) === 1) return true
      if (!await exists(connection, sql`SELECT 1 FROM ${managed}`)) return false
      return await transactOr<boolean, boolean>(connection, function * (rolledBack) {
        yield * removeTokens([clientId])
        const removed = yield * executeStep(connection, sql`DELETE FROM ${managed}`)
        if (removed === 0) throw rolledBack(false)
        yield * access.steps([{ clientId }])
        return true
      })
    }
  }
}

function * replaceRegistration (
  connection: Connection, changes: ClientChanges, { clientId, shown, registrationHash, change: { firstSecret, ...change } }: Replacement
): Steps<Client | null | 'bound'> {
  const keeps = change.tokenEndpointAuthMethod === undefined ? sql`TRUE` : keepsKeys(change.tokenEndpointAuthMethod)
  // First: the row lock serializes changes, and the hash lets only one of them succeed.
  const [managed] = yield * queryStep(connection, { registrableGrants: 'string?' }, sql`
    UPDATE client SET registration_hash = ${registrationHash}, previous_registration_hash = ${shown.isCurrent ? shown.hash : null}
    WHERE ${isManagedBy(clientId, shown.hash)} AND (registration_hash = ${shown.hash}) = ${shown.isCurrent} AND ${keeps}
    RETURNING registrable_grants`)
  if (managed === undefined) {
    const isBound = yield * existsStep(connection, sql`SELECT 1 FROM client WHERE ${isManagedBy(clientId, shown.hash)} AND NOT ${keeps}`)
    return isBound ? 'bound' : null
  }
  // An operator may have removed a grant type since the request was read.
  const registrable = parseWords(managed.registrableGrants)
  const grantTypes = change.grantTypes?.filter(it => registrable.includes(it))
  yield * changes.change(clientId, { ...change, ...(grantTypes && { grantTypes }) })
  if (firstSecret !== undefined) yield * fitSecrets(connection, clientId, firstSecret)
  return yield * findClientStep(connection, clientId)
}

function parseWords (text: string | null): string[] {
  return text?.split(' ') ?? []
}

/** Condition of a row: the client registered itself, and no operator has adopted or disabled it. */
function isManagedBy (clientId: string, hash: string): Sql {
  return sql`id = ${clientId} AND (registration_hash = ${hash} OR previous_registration_hash = ${hash})
    AND registered_by IN ('token', 'open') AND disabled_at IS NULL`
}
