import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownUserError } from './describe.js'
import { describeLink, preparePasswordLinks, takeLinkOptions, type LinkOptions } from './password-link.js'

/** `user reset-link`: makes a link with which a person sets a password. Until it is used, nothing changes. */
export function makeResetLink (user: Command): void {
  const command = user.command('reset-link <username>')
    .description('Email or print a link with which the person can set a new password, once, within 24 hours. The password stays until then.')
  takeLinkOptions(command)
    .addOption(jsonOption('the person and the link'))
    .action(async (username: string, options: PrintOptions & LinkOptions) => await withStores(async stores => {
      const person = await stores.users.find(username)
      if (person === null) throw unknownUserError(username, await stores.users.list())
      if (person.disabledAt !== null) {
        throw new CommandError(`${quote(person.username)} is disabled. To enable: frontdesk-auth user enable ${person.username}`)
      }
      const makeLink = await preparePasswordLinks(stores)
      const profile = await stores.profiles.find(person.id)
      const email = profile?.emailVerified && !options.print ? profile.email : null
      const made = await makeLink(person, { isInvitation: false, email })
      await record(stores, 'user reset-link', { userId: person.id })
      print(options, { ...fieldsOf(person), ...made }, describeLink(person, made))
    }))
}
