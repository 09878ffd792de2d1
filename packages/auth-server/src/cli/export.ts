import { command } from '@frontdesk/service-kit/cli/command'
import { readRegistered } from '../admin/apply.js'
import { shorten } from '../admin/client-entry.js'
import { ClientsFile } from '../admin/clients-file.js'
import { readStores } from './with-stores.js'

/** `export`: prints the clients as a file for `apply`. */
export const exportClients = command('export', {
  says: 'Print the clients and the roles as a file for apply, without secrets and without clients that registered themselves.',
  options: { '--schema': 'print the JSON Schema of the file, for editors' },
  async run ({ schema }) {
    if (schema) return { value: ClientsFile, text: JSON.stringify(ClientsFile, null, 2) }
    const { clients, roles } = await readStores(readRegistered)
    const value = { clients: clients.map(shorten), ...roles.length > 0 && { roles } }
    // Loaded on demand: YAML would slow down every other command.
    const { default: { stringify } } = await import('yaml')
    return { value, text: stringify(value, { lineWidth: 0 }).trimEnd() }
  },
  text: ({ text }) => text,
  fields: ({ value }) => value
})
