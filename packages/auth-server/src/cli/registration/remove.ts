import type { Command } from 'commander'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'

/** `registration remove`: removes a token. Apps that registered with it stay. */
export function removeRegistrationToken (registration: Command): void {
  registration.command('remove <id>')
    .description('Remove a token with which apps register themselves. Apps that used it stay.')
    .addOption(jsonOption('the id'))
    .action(async (id: string, options: PrintOptions) => await withStores(async stores => {
      if (!await stores.registrationTokens.remove(id)) {
        throw new CommandError(`There is no token ${quote(id)}. To see all: frontdesk-auth registration list`)
      }
      await record(stores, 'registration remove', { details: { id } })
      print(options, { id }, `Removed the token ${id}.`)
    }))
}
