import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import type { UserPage } from '../admin/user-details.js'
import { MAX_LISTED_USERS } from '../stores/users/user-list.js'
import { describeState } from './print.js'

/** Options of commands that list users. */
export const PAGE = {
  '--search <text>': 'find users by a part of their user name, name or email address, in any case',
  '--after <username>': 'users after this one: the last of the previous page',
  '--limit <users>': { says: `number of users, 1 to ${MAX_LISTED_USERS}`, parse: wholeNumber(MAX_LISTED_USERS), default: 100 }
} as const

/** The values of {@link PAGE}. */
interface PageInput { readonly search?: string, readonly after?: string }

/** A page as a table. @param none says that there are no users at all */
export function pageText ({ users }: UserPage, { search, after }: PageInput, none: string): string {
  if (users.length === 0) return search === undefined && after === undefined ? none : 'No users were found.'
  // The search may have matched a name or an email address.
  const attributes = search === undefined ? [] : ['name', 'email'] as const
  const head = ['ID', 'STATE', 'USER NAME', ...attributes.map(name => name.toUpperCase())]
  return list(head, users.map(it => [it.id, describeState(it), it.username, ...attributes.map(name => it[name] ?? '')]))
}

/** How to list the next page. @param command prints it, without options */
export function pageNote ({ users, hasMore }: UserPage, { search }: PageInput, command: string): string | undefined {
  const last = users.at(-1)
  if (!hasMore || last === undefined) return undefined
  const filter = search === undefined ? '' : ` --search ${quote(search)}`
  return `There are more. To list them: ${command}${filter} --after ${quote(last.username)}`
}
