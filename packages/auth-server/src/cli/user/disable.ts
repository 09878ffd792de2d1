import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownUserError } from './describe.js'

/** `user disable`: refuses sign-in, ends every session and revokes the access of every app. */
export function disableUser (user: Command): void {
  user.command('disable <username>')
    .description('Sign a person out everywhere and refuse sign-in. The access of apps ends within ten seconds.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => {
      await setDisabled(
        username,
        'disable',
        options,
        `Disabled ${quote(username)} and ended every session. The access of apps ends within ten seconds.`
      )
    })
}

/** `user enable`: undoes `user disable`. */
export function enableUser (user: Command): void {
  user.command('enable <username>')
    .description('Allow a disabled person to sign in again.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => await setDisabled(
      username,
      'enable',
      options,
      `Enabled ${quote(username)}.`
    ))
}

/** @throws CommandError if no person has this user name */
async function setDisabled (username: string, state: 'enable' | 'disable', options: PrintOptions, sentence: string): Promise<void> {
  await withStores(async stores => {
    const { users, clock } = stores
    const person = await users.setDisabled(username, state === 'disable' ? clock.now() : null) ? await users.find(username) : null
    if (person === null) throw unknownUserError(username, await users.list())
    await record(stores, `user ${state}`, { userId: person.id })
    print(options, fieldsOf(person), sentence)
  })
}
