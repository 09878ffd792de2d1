import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownUserError } from './describe.js'

/** `user sign-out`: ends every session of a person, and revokes the access of every app, as "Sign out everywhere" of their account page. */
export function signOutUser (user: Command): void {
  user.command('sign-out <username>')
    .description('Sign a person out everywhere, and revoke the access of all apps within ten seconds. They can sign in again.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => await withStores(async stores => {
      const person = await stores.users.find(username)
      if (person === null) throw unknownUserError(username, await stores.users.list())
      await stores.users.endAccess(person.id)
      await record(stores, 'user sign-out', { userId: person.id })
      print(options, fieldsOf(person), `Signed out ${quote(person.username)} everywhere. Apps lose access within ten seconds.`)
    }))
}
