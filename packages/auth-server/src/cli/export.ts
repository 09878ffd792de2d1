import { Option, type Command } from 'commander'
import { isSelfRegistered } from '../oauth/identity.js'
import type { ClientsFile } from './apply/clients-file.js'
import { jsonOption, print, type PrintOptions } from './print.js'
import { readStores } from './with-stores.js'

/** `export`: prints the apps as a file for `apply`. */
export function exportClients (program: Command): void {
  program.command('export')
    .description('Print the apps and the roles as a file for apply, without secrets and without apps that registered themselves.')
    .addOption(jsonOption('the apps'))
    .addOption(new Option('--schema', 'print the JSON Schema of the file, for editors'))
    .action(async ({ schema, ...options }: PrintOptions & { schema?: true }) => {
      // Loaded on demand: YAML and the schema would slow down every other command.
      const { ClientsFile } = await import('./apply/clients-file.js')
      if (schema) return print({ json: true }, ClientsFile, '')
      const { entryOf, shorten, sortLists } = await import('../admin/client-entry.js')
      const { default: { stringify } } = await import('yaml')
      const { roleEntryOf } = await import('./apply/roles.js')
      await readStores(async ({ clients, clientLogos, roles }) => {
        const logos = await clientLogos.list()
        const apps = (await clients.list()).filter(app => !isSelfRegistered(app)).map(app => shorten(sortLists(entryOf(app, logos))))
        const held = (await roles.list()).map(roleEntryOf)
        const file: ClientsFile = { clients: apps, ...(held.length > 0 && { roles: held }) }
        print(options, file, stringify(file, { lineWidth: 0 }).trimEnd())
      })
    })
}
