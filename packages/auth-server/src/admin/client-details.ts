import type { Client } from '../oauth/client.js'
import { dataUrlOf } from '../oauth/client-logo.js'
import { readLinks } from '../registration/client-links.js'
import type { ClientQuery } from '../stores/clients/client-list.js'
import type { Stores } from '../stores/stores.js'
import { entryOf, type ClientEntry } from './client-entry.js'
import { findClient } from './unknown.js'

type LogoStores = Pick<Stores, 'clientLogos'>

/** A client for display: the fields of a clients file, and what only this server sets. */
export type ClientDetails = Omit<ClientEntry, 'disabled'> &
  Pick<Client, 'registeredBy' | 'demo' | 'logoName' | 'withoutPkceAt' | 'usedAt' | 'createdAt' | 'disabledAt'> &
  { readonly state: 'enabled' | 'disabled', readonly links: ReturnType<typeof readLinks> }

/** @param logo a `data:` URL; `null` without a logo */
export function clientDetails (client: Client, logo: string | null): ClientDetails {
  const { registeredBy, demo, logoName, withoutPkceAt, usedAt, createdAt, disabledAt, links } = client
  const { disabled, ...entry } = entryOf(client, new Map())
  return {
    ...entry,
    logo,
    state: disabled ? 'disabled' : 'enabled',
    registeredBy,
    demo,
    logoName,
    links: readLinks(links),
    withoutPkceAt,
    usedAt,
    createdAt,
    disabledAt
  }
}

/** Finds a client with its logo. @throws Refusal */
export async function findClientDetails (stores: Pick<Stores, 'clients'> & LogoStores, id: string): Promise<ClientDetails> {
  const client = await findClient(stores, id)
  return clientDetails(client, await findLogo(stores, client))
}

/** A client's logo as a `data:` URL; `null` without a logo. */
export async function findLogo ({ clientLogos }: LogoStores, { logoName }: Pick<Client, 'logoName'>): Promise<string | null> {
  const logo = logoName === null ? null : await clientLogos.find(logoName)
  return logo === null ? null : dataUrlOf(logo)
}

/** Lists clients by client_id, without their logos. */
export async function listClients ({ clients }: Pick<Stores, 'clients'>, query: ClientQuery): Promise<{
  readonly clients: ReadonlyArray<Omit<ClientDetails, 'logo'>>
  readonly hasMore: boolean
}> {
  const { clients: found, hasMore } = await clients.page(query)
  return { clients: found.map(client => withoutLogo(clientDetails(client, null))), hasMore }
}

function withoutLogo ({ logo: _, ...details }: ClientDetails): Omit<ClientDetails, 'logo'> {
  return details
}
