import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'
import type { Client } from '../oauth/client.js'
import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import { unknown, type Refusal } from './refusal.js'

/** Makes the refusal for an unknown user, with a suggestion for a user name. */
export async function unknownUser ({ users }: Pick<Stores, 'users'>, username: UserKey): Promise<Refusal> {
  if (typeof username !== 'string') return unknown('id', `No user has the id ${quote(username.id)}.`)
  const known = await users.list()
  return unknown('username', `No user has the user name ${quote(username)}.${didYouMean(username, known.map(user => user.username))}`)
}

/** Makes the refusal for an unknown client_id, with a suggestion. */
export async function unknownClient ({ clients }: Pick<Stores, 'clients'>, id: string): Promise<Refusal> {
  const known = await clients.list()
  return unknown('clientId', `No client has the client_id ${quote(id)}.${didYouMean(id, known.map(client => client.id))}`)
}

/** @throws Refusal if there is no such client */
export async function findClient (stores: Pick<Stores, 'clients'>, id: string): Promise<Client> {
  const client = await stores.clients.find(id)
  if (client === null) throw await unknownClient(stores, id)
  return client
}
