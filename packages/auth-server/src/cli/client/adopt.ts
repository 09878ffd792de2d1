import type { Command } from 'commander'
import { isSelfRegistered } from '../../oauth/identity.js'
import { CommandError } from '../command-error.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownClientError } from './describe.js'

/** `client adopt`: vouches for an app that registered itself. */
export function adoptClient (client: Command): void {
  client.command('adopt <client_id>')
    .description('Vouch for an app that registered itself: from then on, only you change it, and consent is remembered.')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: PrintOptions) => await withStores(async stores => {
      const { clients } = stores
      const before = await clients.find(id)
      if (before === null) throw unknownClientError(id, await clients.list())
      if (!isSelfRegistered(before)) throw new CommandError(`The app ${quote(id)} did not register itself.`)
      if (!await clients.change(id, { registeredBy: 'operator' })) throw unknownClientError(id)
      await record(stores, 'client adopt', { clientId: id })
      print(options, fieldsOf({ ...before, registeredBy: 'operator' }), `
Adopted the app ${quote(id)}: it cannot change its registration any more, and its consent page does not warn. Check it:
frontdesk-auth client show ${id}`.trimStart())
    }))
}
