import type { ClientDetails } from '../../admin/client-details.js'
import { clientOf } from '../../admin/client-entry.js'
import type { Client } from '../../oauth/client.js'
import { storedLinks } from '../../registration/client-links.js'
import { path, type AdminApi } from './api.js'

/** A client as the API returns it. Lists omit the logo; only the response that creates a secret contains it. */
export type RemoteClient = Omit<ClientDetails, 'logo'> & { readonly logo?: string | null, readonly secret?: string }

/** Converts a client of the API to one of the database. */
export function toClient ({ state, secret, links, ...details }: RemoteClient): Client {
  const { registeredBy, demo, logoName, withoutPkceAt, usedAt, createdAt, disabledAt, ...entry } = details
  const { logo: _, ...columns } = clientOf({ ...entry, logo: null, disabled: state === 'disabled' }, undefined, createdAt)
  const own = { registeredBy, demo, logoName, withoutPkceAt, usedAt, createdAt, disabledAt, links: storedLinks(links) }
  const unknown = { pairwiseSalt: null, documentFetchedAt: null, documentFreshUntil: null }
  // as: an entry has all fields of a client's registration.
  return { ...columns, ...own, ...unknown } as Client
}

/** Runs an action on a client. @returns the client, as `act` returns it, or as it was */
export async function onRemoteClient (
  api: AdminApi, clientId: string, act: (path: string, before: RemoteClient) => Promise<RemoteClient | void>
): Promise<Client> {
  const at = path`/clients/${clientId}`
  const before = await api.get<RemoteClient>(at)
  return toClient(await act(at, before) ?? before)
}
