import type { Command } from 'commander'
import { readStores } from '../with-stores.js'
import { printPage, takePageOptions, type PageOptions } from './page.js'

/** `user list`: people, by user name. */
export function listUsers (user: Command): void {
  takePageOptions(user.command('list').description('List or find people. The id is the "sub" of their access tokens.'))
    .addHelpText('after', `
Example:
  frontdesk-auth user list --search example.com`)
    .action(async (options: PageOptions) => await readStores(async ({ users }) =>
      await printPage(options, TEXTS, async page => await users.list(page))))
}

const TEXTS = { command: 'frontdesk-auth user list', none: 'No people are registered.' }
