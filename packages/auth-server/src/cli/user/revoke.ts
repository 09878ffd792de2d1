import type { Command } from 'commander'
import { unknownClientError } from '../client/describe.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownUserError } from './describe.js'

/** `user revoke`: revokes the access of one app to the account of a person, as "Remove access" of their account page. */
export function revokeApp (user: Command): void {
  user.command('revoke <username> <client_id>')
    .description('Revoke the access of one app to the account of a person within ten seconds, and forget their consent.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, clientId: string, options: PrintOptions) => await withStores(async stores => {
      const person = await stores.users.find(username)
      if (person === null) throw unknownUserError(username, await stores.users.list())
      const removed = await stores.authorizedApps.remove(person.id, clientId)
      if (removed === null) throw unknownClientError(clientId, await stores.clients.list())
      await record(stores, 'user revoke', { userId: person.id, clientId, details: { ...removed } })
      print(
        options,
        fieldsOf(person),
        `Revoked the access of ${quote(clientId)} to the account of ${quote(person.username)}. It ends within ten seconds.`
      )
    }))
}
