import { quote } from '@frontdesk/service-kit/showable'
import { reason } from '../languages/reason.js'
import { suggested } from './suggested.js'
import type { Client } from '../oauth/client.js'
import { isConsole } from '../oauth/console-client.js'
import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { unknown, type Refusal } from './refusal.js'
import { assertMayChangeClient } from './rights.js'

/** Maximum names to compare for a suggestion. */
const MAX_COMPARED = 2_000

/** Makes the refusal for an unknown user, with a suggestion for a user name. */
export async function unknownUser ({ users }: Pick<Stores, 'users'>, username: UserKey): Promise<Refusal> {
  if (typeof username !== 'string') return unknown('id', reason('reason.unknown-user-id', { id: quote(username.id) }))
  return noUser(username, await users.usernames(MAX_COMPARED))
}

/** The same. @param known names of users, for a suggestion */
export function noUser (username: string, known: readonly string[] = []): Refusal {
  return unknown('username', suggested(reason('reason.unknown-user', { username: quote(username) }), username, known))
}

/** Makes the refusal for an unknown client_id, with a suggestion. */
export async function unknownClient ({ clients }: Pick<Stores, 'clients'>, id: string): Promise<Refusal> {
  const known = await clients.ids(MAX_COMPARED)
  return unknown('clientId', suggested(reason('reason.unknown-client', { id: quote(id) }), id, known))
}

/** @throws Refusal if there is no such client */
export async function findClient (stores: Pick<Stores, 'clients'>, id: string): Promise<Client> {
  const client = await stores.clients.read(id)
  if (client === null || isConsole(client)) throw await unknownClient(stores, id)
  return client
}

/** @throws Refusal if there is no such client, or the actor cannot change it */
export async function findChangeable (stores: Pick<Stores, 'clients'>, id: string, by: Actor): Promise<Client> {
  const client = await findClient(stores, id)
  assertMayChangeClient(by, client)
  return client
}
