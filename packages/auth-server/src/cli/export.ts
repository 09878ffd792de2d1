import { command } from '@frontdesk/service-kit/cli/command'
import { isSelfRegistered } from '../oauth/identity.js'
import type { ClientsFile as File } from '../admin/clients-file.js'
import { readStores } from './with-stores.js'

/** `export`: prints the clients as a file for `apply`. */
export const exportClients = command('export', {
  says: 'Print the apps and the roles as a file for apply, without secrets and without apps that registered themselves.',
  options: { '--schema': 'print the JSON Schema of the file, for editors' },
  json: 'the apps',
  async run ({ schema }) {
    // Loaded on demand: YAML and the schema would slow down every other command.
    const { ClientsFile } = await import('../admin/clients-file.js')
    if (schema) return { value: ClientsFile, text: JSON.stringify(ClientsFile, null, 2) }
    const [{ entryOf, shorten, sortLists }, { roleEntryOf }, { default: { stringify } }] =
      await Promise.all([import('../admin/client-entry.js'), import('../admin/apply.js'), import('yaml')])
    return await readStores(async ({ clients, clientLogos, roles }) => {
      const logos = await clientLogos.list()
      const apps = (await clients.list()).filter(app => !isSelfRegistered(app)).map(app => shorten(sortLists(entryOf(app, logos))))
      const held = (await roles.list()).map(roleEntryOf)
      const value: File = { clients: apps, ...(held.length > 0 && { roles: held }) }
      return { value, text: stringify(value, { lineWidth: 0 }).trimEnd() }
    })
  },
  text: ({ text }) => text,
  fields: ({ value }) => value
})
