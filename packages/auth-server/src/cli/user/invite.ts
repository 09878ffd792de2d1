import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { assertNone } from '../command-error.js'
import { quote, whyNotName } from '../text.js'
import { makeStores } from '../with-stores.js'
import { attributesOf, fieldsOf, takenError, unknownUserError } from './describe.js'
import { describeLink, preparePasswordLinks } from './password-link.js'
import { assertVerifiable, readProfileOptions, takeProfileOptions, type ProfileOptions } from './profile-options.js'

/** `user invite`: registers a person who sets the password by a link. */
export function inviteUser (user: Command): void {
  const command = user.command('invite <username>')
    .description('Register a person without a password, and print a link with which they can set one, once, within 24 hours.')
  takeProfileOptions(command)
    .addOption(jsonOption('the person and the link'))
    .action(async (username: string, options: PrintOptions & ProfileOptions) => {
      const { change: profile, faults } = readProfileOptions(options)
      assertNone(whyNotName('user name', username), ...faults)
      assertVerifiable(profile)
      await makeStores(async stores => {
        const { users, profiles } = stores
        const [{ hashPassword }, { randomOpaqueToken }] = await Promise.all([
          import('../../sign-in/password.js'), import('../../sign-in/opaque-token.js')
        ])
        const makeLink = await preparePasswordLinks(stores)
        // A password that no person knows.
        const passwordHash = await hashPassword(randomOpaqueToken())
        if (!await users.add({ id: randomUUID(), username, passwordHash, demo: false, ...profile })) throw takenError(username)
        const [added, person] = [await users.find(username), await profiles.findByUsername(username)]
        if (added === null || person === null) throw unknownUserError(username)
        const made = await makeLink(added)
        await record(stores, 'user invite', { userId: added.id })
        print(options, { ...fieldsOf(added), ...attributesOf(person), ...made }, `Registered ${quote(username)}. ${describeLink(added, made)}`)
      })
    })
}
