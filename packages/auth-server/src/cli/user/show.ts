import { table } from '@frontdesk/service-kit/cli/table'
import type { Command } from 'commander'
import { attributesOf, describeAttributes, fieldsOf, unknownUserError } from './describe.js'
import { jsonOption, print, stateOf, type PrintOptions } from '../print.js'
import { quote } from '@frontdesk/service-kit/showable'
import { readStores } from '../with-stores.js'

/** `user show`: one person, and what is stored about them. */
export function showUser (user: Command): void {
  user.command('show <username>')
    .description('Show a person with their attributes, their sessions and the apps that have access.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => await readStores(async ({ users, profiles, roles, clock }) => {
      const [person, profile] = [await users.find(username), await profiles.findByUsername(username)]
      const holdings = await users.holdings(username, clock.now())
      if (person === null || profile === null || holdings === null) throw unknownUserError(username, await users.list())
      const { id, disabledAt, createdAt } = person
      const { sessions, clients } = holdings
      const held = await roles.of(id)
      print(options, { ...fieldsOf(person), ...attributesOf(profile), ...holdings, roles: held }, table([
        ['ID', id],
        ['User name', quote(person.username)],
        ['State', disabledAt === null ? stateOf(person) : `${stateOf(person)} since ${disabledAt.toISOString()}`],
        ['Registered', createdAt.toISOString()],
        ...describeAttributes(profile),
        ...held.length === 0 ? [] : [['Roles', held.join(' ')]],
        ['Sessions', `${sessions}`],
        ...clients.length === 0 ? [['Apps', 'none']] : clients.map((clientId, index) => [index === 0 ? 'Apps' : '', clientId])
      ]))
    }))
}
