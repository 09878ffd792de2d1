import { command } from '@frontdesk/service-kit/cli/command'
import { readRegistered } from '../admin/apply.js'
import { entryOf, shorten, sortLists, type ClientEntry } from '../admin/client-entry.js'
import { ClientsFile, roleEntryOf } from '../admin/clients-file.js'
import { isBuiltIn } from '../oauth/admin-scopes.js'
import { path } from './remote/api.js'
import { toClient, type RemoteClient } from './remote/clients.js'
import { listRemoteRoles } from './remote/roles.js'
import { readStores } from './with-stores.js'

const SCHEMA: Printed = { value: ClientsFile, text: JSON.stringify(ClientsFile, null, 2) }

/** `export`: prints the clients as a file for `apply`. */
export const exportClients = command('export', {
  says: 'Print the clients and the roles as a file for apply, without secrets and without clients that registered themselves.',
  options: { '--schema': 'print the JSON Schema of the file, for editors' },
  async run ({ schema }) {
    if (schema) return SCHEMA
    return await write(await readStores(readRegistered))
  },
  async remote (api, { schema }) {
    if (schema) return SCHEMA
    const { items } = await api.list<RemoteClient>('/clients', { selfRegistered: 'false' })
    const clients: ClientEntry[] = []
    for (const client of items) {
      // Lists omit logos.
      const whole = client.logoName === null ? client : await api.get<RemoteClient>(path`/clients/${client.clientId}`)
      clients.push(sortLists({ ...entryOf(toClient(whole), new Map()), logo: whole.logo ?? null }))
    }
    const roles = (await listRemoteRoles(api)).filter(({ name }) => !isBuiltIn(name))
    return await write({ clients, roles: roles.map(roleEntryOf) })
  },
  text: ({ text }) => text,
  fields: ({ value }) => value
})

interface Printed { readonly value: object, readonly text: string }

async function write ({ clients, roles }: Awaited<ReturnType<typeof readRegistered>>): Promise<Printed> {
  const value = { clients: clients.map(shorten), ...roles.length > 0 && { roles } }
  // Loaded on demand: YAML would slow down every other command.
  const { default: { stringify } } = await import('yaml')
  return { value, text: stringify(value, { lineWidth: 0 }).trimEnd() }
}
