import { quote } from '@frontdesk/service-kit/showable'
import type { Client } from '../oauth/client.js'
import { isSelfRegistered } from '../oauth/identity.js'
import { namesReservedScope, reservedScopes } from '../oauth/reserved-scopes.js'
import { needsCallback } from '../registration/client-rules.js'
import { hasSecret, storedSecret } from '../registration/credentials.js'
import { randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { ClientChange } from '../stores/clients/clients.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import {
  audited, clientOf, complete, differencesOf, entryOf, type ClientEntry, type FieldDifferences, type ShortEntry
} from './client-entry.js'
import { clientDetails, findLogo, type ClientDetails } from './client-details.js'
import { findEntryFaults } from './entry-faults.js'
import { parsePolicy, whyNotFuture, writePolicy } from './implicit-policy.js'
import { assertValid, conflict, Refusal, taken } from './refusal.js'
import { assertMayChangeClient } from './rights.js'
import { findChangeable, findClient, unknownClient } from './unknown.js'
import { reason } from '../languages/reason.js'

/** Stores of actions on clients. */
type ClientStores = Pick<Stores, 'clients' | 'clientSecrets' | 'clientLogos'> & Recording

/** A client after an action, with its first secret if that was added. */
interface WrittenClient { readonly client: Client, readonly secret?: string | undefined }

/** A change of a client. */
export interface EntryChange {
  /** Returns the fields to change, while the client is locked. Can be called again for a retry. */
  readonly change: (before: ClientEntry) => Partial<Omit<ClientEntry, 'clientId' | 'disabled'>>
  /** Private-use schemes without a dot that callbacks can have. */
  readonly schemes: readonly string[]
  /** Called before that with the client, while it is locked; if it throws, nothing is changed. */
  readonly check?: ((before: ClientDetails) => void) | undefined
}

/** Registers a client (RFC 6749 §2). @param schemes as in {@link EntryChange} @throws Refusal */
export async function addClient (stores: ClientStores, given: ShortEntry, schemes: readonly string[], by: Actor): Promise<WrittenClient> {
  assertEntry(given, schemes)
  const [entry, now] = [complete(given), stores.clock.now()]
  assertMayChangeClient(by, entry)
  assertCallback(entry)
  assertValid({ implicit: [whyNotFuture(parsePolicy(entry.implicit), now)] })
  const { clientId } = entry
  const secret = hasSecret(entry) ? randomOpaqueToken() : undefined
  const { clients } = recorded(stores, 'client add', { clientId }, by)
  const isAdded = await clients.add(clientOf(entry, undefined, now), secret === undefined ? null : storedSecret(secret, now))
  if (!isAdded) throw taken('clientId', reason('reason.client-taken', { id: quote(clientId) }))
  return { client: await findClient(stores, clientId), secret }
}

/**
 * Changes fields of a client; others keep their values. Adds a first secret if the client now needs one, and removes all if it no
 * longer does, so that none becomes valid again later.
 * @throws Refusal with all faults of the changed client
 */
export async function updateClient (
  stores: ClientStores, id: string, { change, schemes, check }: EntryChange, by: Actor
): Promise<WrittenClient & { readonly before: Client }> {
  const [now, secret] = [stores.clock.now(), randomOpaqueToken()]
  const first = storedSecret(secret, now)
  let done: Client | undefined
  const details: Record<string, unknown> = {}
  const { logoName } = await findClient(stores, id)
  const logo = check === undefined ? null : await findLogo(stores, { logoName })
  const isKnown = await recorded(stores, 'client update', { clientId: id, details }, by).clients.change(id, before => {
    // A logo that was changed in between is no other's.
    check?.(clientDetails(before, before.logoName === logoName ? logo : before.logoName ?? ''))
    const { entry, wanted, after } = changedEntry(before, { change, schemes }, { now, by })
    done = before
    const [row, differences] = [clientOf(complete(after), before, now), differencesOf(entry, after)]
    // The entry before has no logo.
    const isChanged = (name: string) => name === 'logo' ? before.logoName !== (row.logo?.name ?? null) : name in differences
    Object.assign(details, { fields: Object.keys(wanted).filter(isChanged), ...audited(differences) })
    return { ...columnsOf(wanted, row, now), firstSecret: hasSecret(after) ? first : null }
  })
  if (!isKnown || done === undefined) throw await unknownClient(stores, id)
  return {
    client: await findClient(stores, id),
    before: done,
    secret: await stores.clientSecrets.has(id, first.hash) ? secret : undefined
  }
}

/** Previews {@link updateClient}: the client before, and what would change. @throws Refusal as {@link updateClient} does */
export async function planUpdate (
  stores: Pick<Stores, 'clients' | 'clientLogos' | 'clock'>, id: string, wanted: Pick<EntryChange, 'change' | 'schemes'>, by: Actor
): Promise<{ readonly before: ClientDetails, readonly differences: FieldDifferences }> {
  const client = await findClient(stores, id)
  const { entry, after } = changedEntry(client, wanted, { now: stores.clock.now(), by })
  return { before: clientDetails(client, await findLogo(stores, client)), differences: differencesOf(entry, after) }
}

/** The entry of a client before and after a change. @throws Refusal */
function changedEntry (
  before: Client, { change, schemes }: Pick<EntryChange, 'change' | 'schemes'>, { now, by }: { readonly now: Date, readonly by: Actor }
) {
  const { id } = before
  const entry = entryOf(before, new Map())
  const wanted = change(entry)
  // A logo inspires trust, but a self-registered client can change its name later.
  if (wanted.logo && isSelfRegistered(before)) {
    throw conflict('logo', reason('reason.client-logo', { id: quote(id) }))
  }
  if (wanted.own && isSelfRegistered(before)) {
    throw conflict('own', reason('reason.client-adopt-own', { id: quote(id) }))
  }
  if (wanted.implicit !== undefined) assertValid({ implicit: [whyNotFuture(parsePolicy(wanted.implicit), now)] })
  const after = { ...entry, ...wanted }
  assertMayChangeClient(by, entry, after)
  if (isSelfRegistered(before) && namesReservedScope(wanted.allowedScope ?? null)) {
    throw conflict('allowedScope', reason('reason.client-adopt-scope', { id: quote(id), scopes: reservedScopes.join(' ') }))
  }
  // Without the id, which does not change: that of a document in a private network could not be added.
  const { clientId: _, ...changeable } = after
  assertEntry(changeable, schemes)
  assertCallback(after)
  return { entry, wanted, after }
}

/** Refuses all requests of a client and revokes its codes and tokens, or allows it to request access tokens again. @throws Refusal */
export async function setClientDisabled (stores: ClientStores, id: string, isDisabled: boolean, by: Actor): Promise<Client> {
  await findChangeable(stores, id, by)
  const { clients } = recorded(stores, isDisabled ? 'client disable' : 'client enable', { clientId: id }, by)
  if (!await clients.setDisabled(id, isDisabled ? stores.clock.now() : null)) throw await unknownClient(stores, id)
  return await findClient(stores, id)
}

/** Sets the client's policy for the implicit grant. @param withCode also allows the authorization code grant @throws Refusal */
export async function setImplicit (
  stores: ClientStores, id: string, { policy, withCode }: { policy: string, withCode: boolean }, by: Actor
): Promise<Client> {
  const [now, wanted] = [stores.clock.now(), parsePolicy(policy)]
  assertValid({ implicit: [whyNotFuture(wanted, now)] })
  await findChangeable(stores, id, by)
  const { clients } = recorded(stores, 'client implicit', { clientId: id, details: { policy: writePolicy(wanted), code: withCode } }, by)
  if (!await clients.setImplicit(id, wanted, now, withCode)) throw await unknownClient(stores, id)
  return await findClient(stores, id)
}

/** Revokes every code and token of a client, which stays enabled; for a leaked secret. @throws Refusal */
export async function revokeClient (stores: ClientStores, id: string, by: Actor): Promise<Client> {
  await findChangeable(stores, id, by)
  if (!await recorded(stores, 'client revoke', { clientId: id }, by).clients.revoke(id)) throw await unknownClient(stores, id)
  return await findClient(stores, id)
}

/** Removes a client with its callbacks, codes and tokens. @throws Refusal */
export async function removeClient (stores: ClientStores, id: string, by: Actor): Promise<Client> {
  const client = await findChangeable(stores, id, by)
  if (!await recorded(stores, 'client remove', { clientId: id }, by).clients.remove(id)) throw await unknownClient(stores, id)
  return client
}

/** @throws Refusal with every rule that an entry breaks */
export function assertEntry (entry: Partial<ClientEntry>, schemes: readonly string[]): void {
  const faults = findEntryFaults(entry, schemes)
  if (faults.length > 0) throw new Refusal('invalid', faults)
}

function assertCallback (entry: ClientEntry): void {
  if (needsCallback(entry) && entry.callbacks.length === 0) throw conflict('callbacks', reason('reason.client-callback'))
}

/** The columns of changed fields. */
function columnsOf (
  { subjectType, implicit, ...fields }: Partial<ClientEntry>, { disabledAt: _, ...client }: ReturnType<typeof clientOf>, now: Date
): ClientChange {
  const names = Object.keys({ ...fields, ...subjectType !== undefined && { sectorIdentifier: null } })
  return {
    ...Object.fromEntries(Object.entries(client).filter(([name]) => names.includes(name))),
    ...implicit !== undefined && { policy: { ...parsePolicy(implicit), at: now } }
  }
}
