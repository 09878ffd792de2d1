import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { makeStores } from '../with-stores.js'
import { attributesOf, fieldsOf } from './describe.js'
import { describeLink, preparePasswordLinks, takeLinkOptions, type LinkOptions } from './password-link.js'
import { takeProfileOptions, type ProfileOptions } from './profile-options.js'
import { readNewPerson, register } from './register.js'

/** `user invite`: registers a person who sets the password by a link. */
export function inviteUser (user: Command): void {
  const command = user.command('invite <username>')
    .description('Register a person without a password, and email or print a link with which they can set one, once, within 24 hours.')
  takeLinkOptions(takeProfileOptions(command))
    .addOption(jsonOption('the person and the link'))
    .action(async (username: string, options: PrintOptions & ProfileOptions & LinkOptions) => {
      const profile = readNewPerson(username, options)
      await makeStores(async stores => {
        const [{ hashPassword }, { randomOpaqueToken }] = await Promise.all([
          import('../../sign-in/password.js'), import('../../sign-in/opaque-token.js')
        ])
        const makeLink = await preparePasswordLinks(stores)
        // A password that no person knows.
        const { user, person } = await register(stores, username, await hashPassword(randomOpaqueToken()), profile)
        const made = await makeLink(user, { isInvitation: true, email: options.print ? null : person.email })
        await record(stores, 'user invite', { userId: user.id })
        const told = `Registered ${quote(username)}. ${describeLink(user, made)}`
        print(options, { ...fieldsOf(user), ...attributesOf(person), ...made }, told)
      })
    })
}
