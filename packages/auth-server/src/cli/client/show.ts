import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'
import { describe, fieldsOf, unknownClientError } from './describe.js'
import { libraryOption, librarySettings, whyNotLibrary, type LibraryOptions } from './library-settings.js'
import { assertNone } from '@frontdesk/service-kit/cli/errors'

/** `client show`: all fields of an app, or the settings of a library for it. */
export function showClient (client: Command): void {
  client.command('show <client_id>')
    .description('Show an app with all its fields.')
    .addOption(jsonOption('the app'))
    .addOption(libraryOption())
    .action(async (id: string, options: PrintOptions & LibraryOptions) => await readStores(async ({ clients, clientLogos }) => {
      const app = await clients.find(id)
      if (app === null) throw unknownClientError(id, await clients.list())
      assertNone(whyNotLibrary(options, app))
      const logo = app.logoName === null ? null : await clientLogos.find(app.logoName)
      print(options, fieldsOf(app), options.for === undefined ? describe(app, logo) : librarySettings(options.for, app))
    }))
}
