import { quote } from '@frontdesk/service-kit/showable'
import type { Client } from '../oauth/client.js'
import { isSelfRegistered } from '../oauth/identity.js'
import { allowsAny, namesReservedScope } from '../oauth/reserved-scopes.js'
import { allowedOf, parseScope } from '../oauth/scope.js'
import { allowedScopeOf, whyNotAllowedScope } from '../registration/client-rules.js'
import type { ClientChange } from '../stores/clients/clients.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded, type Recording } from './audit.js'
import { assertValid, conflict, invalid } from './refusal.js'
import { assertMayChangeClient } from './rights.js'
import { findClient, unknownClient } from './unknown.js'
import { reason } from '../languages/reason.js'

/** Approves a self-registered client. @param allowedScope scopes that it can request; `*`: any @throws Refusal */
export async function adoptClient (
  stores: Pick<Stores, 'clients'> & Recording, id: string, allowedScope: string | undefined, by: Actor
): Promise<Client> {
  const about = { clientId: id, details: allowedScope === undefined ? {} : { allowedScope } }
  const isKnown = await recorded(stores, 'client adopt', about, by).clients.change(id, client => {
    if (!isSelfRegistered(client)) throw conflict('registeredBy', reason('reason.client-not-self-registered', { id: quote(id) }))
    const scopes = scopesOf(client, allowedScope)
    assertMayChangeClient(by, client, { ...client, ...scopes })
    return { registeredBy: 'operator', ...scopes }
  })
  if (!isKnown) throw await unknownClient(stores, id)
  return await findClient(stores, id)
}

/**
 * The scopes of an approved client. @throws Refusal if it can request tokens for itself without a limit on its scopes, because it chose
 * its default scope itself
 */
function scopesOf (client: Client, text: string | undefined): Pick<ClientChange, 'allowedScope' | 'defaultScope'> {
  if (text === undefined) {
    const id = quote(client.id)
    if (namesReservedScope(client.allowedScope)) throw invalid('allowedScope', reason('reason.allowed-scope-list', { id }))
    if (!allowsAny(client.allowedScope) || !client.grantTypes.includes('client_credentials')) return {}
    throw invalid('allowedScope', reason('reason.allowed-scope-own', { id, scope: quote(client.defaultScope) }))
  }
  const allowedScope = allowedScopeOf(text)
  assertValid({ allowedScope: [whyNotAllowedScope(allowedScope, '')] })
  return { allowedScope, defaultScope: allowedOf(parseScope(client.defaultScope), allowedScope).join(' ') }
}
