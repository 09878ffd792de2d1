import { list } from '@frontdesk/service-kit/cli/table'
import { InvalidArgumentError, type Command } from 'commander'
import { MAX_LISTED_USERS, type ListedUser } from '../../stores/user-list.js'
import { jsonOption, print, stateOf, type PrintOptions } from '../print.js'
import { quote } from '@frontdesk/service-kit/showable'
import { attributesOf, fieldsOf } from './describe.js'

/** The options of commands that list people. */
export interface PageOptions extends PrintOptions {
  readonly search?: string
  readonly after?: string
  readonly limit: number
}

/** Adds {@link PageOptions}. */
export function takePageOptions (command: Command): Command {
  return command
    .option('--search <text>', 'find people by a part of their user name, name or email address, in any case')
    .option('--after <username>', 'people after this one: the last of the previous page')
    .option('--limit <people>', `number of people, 1 to ${MAX_LISTED_USERS}`, limit, 100)
    .addOption(jsonOption('the people with all fields except the password'))
}

/**
 * Reads one person more than the page has, and prints the page.
 * @param command what prints the next page, without options
 * @param none says that there are no people at all
 */
export async function printPage (
  { search, after, limit, ...options }: PageOptions,
  { command, none }: { readonly command: string, readonly none: string },
  read: (page: { search: string | undefined, after: string | undefined, limit: number }) => Promise<ListedUser[]>
): Promise<void> {
  const found = await read({ search, after, limit: limit + 1 })
  const people = found.slice(0, limit)
  const isSearch = search !== undefined
  const fields = people.map(it => ({ ...fieldsOf(it), ...isSearch && attributesOf(it) }))
  print(options, fields, people.length > 0 ? tableOf(people, isSearch) : isSearch || after !== undefined ? 'No people were found.' : none)
  const last = people.at(-1)
  if (found.length <= limit || last === undefined) return
  const sought = isSearch ? ` --search ${quote(search)}` : ''
  console.error(`There are more. To list them: ${command}${sought} --after ${quote(last.username)}`)
}

/** @param isSearch shows names and email addresses, which may be what was found */
function tableOf (people: readonly ListedUser[], isSearch: boolean): string {
  const attributes = isSearch ? ['name', 'email'] as const : []
  const head = ['ID', 'STATE', 'USER NAME', ...attributes.map(name => name.toUpperCase())]
  return list(head, people.map(it => [it.id, stateOf(it), it.username, ...attributes.map(name => it[name] ?? '')]))
}

function limit (text: string): number {
  const people = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (people < 1 || people > MAX_LISTED_USERS) throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_LISTED_USERS}.`)
  return people
}
