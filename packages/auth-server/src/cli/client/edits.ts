import type { Command } from 'commander'
import type { Client } from '../../oauth/client.js'
import { parseScope } from '../../oauth/scope.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { edited } from '../../admin/list-edit.js'
import { editOf, takeListEdit, type EditableList } from '../edit-list.js'
import type { ClientOptions } from './options.js'

/** A list of an app, and how the option that replaces it is written. */
interface ClientList extends EditableList {
  readonly option: 'callback' | 'postLogoutRedirectUri' | 'resource' | 'grant' | 'defaultScope' | 'allowedScope'
  readonly of: (app: Client) => readonly string[]
  readonly write: (values: string[]) => string | string[]
}

const asList = (values: string[]) => values
const asScope = (values: string[]) => values.join(' ')

const LISTS: readonly ClientList[] = [
  { option: 'callback', flag: 'callback', value: '<uri>', noun: 'callback', of: ({ callbacks }) => callbacks, write: asList },
  {
    option: 'postLogoutRedirectUri',
    flag: 'post-logout-redirect-uri',
    value: '<uri>',
    noun: 'post-logout redirect URI',
    of: ({ postLogoutRedirectUris }) => postLogoutRedirectUris,
    write: asList
  },
  { option: 'resource', flag: 'resource', value: '<uri>', noun: 'resource', of: ({ resources }) => resources, write: asList },
  {
    option: 'grant',
    flag: 'grant',
    value: '<grant>',
    noun: 'grant',
    of: ({ grantTypes, implicit }) => [...grantTypes, ...implicit === 'off' ? [] : ['implicit']],
    write: asList
  },
  {
    option: 'defaultScope',
    flag: 'default-scope',
    value: '<scope>',
    noun: 'default scope',
    of: ({ defaultScope }) => parseScope(defaultScope),
    write: asScope
  },
  { option: 'allowedScope', flag: 'allowed-scope', value: '<scope>', noun: 'allowed scope', of: allowedScopes, write: asScope }
]

/** Adds the options that edit a list of an app, value by value. */
export function takeEditOptions (command: Command): Command {
  return LISTS.reduce(takeListEdit, command)
}

/** Replaces edits by the whole lists that result from them. @throws CommandError if one cannot be made */
export function resolveEdits<Options extends ClientOptions> (options: Options, before: Client): Options {
  const lists = LISTS.flatMap(list => {
    const edit = editOf(options, list)
    return edit === undefined ? [] : [[list.option, list.write(edited(list.of(before), edit, list))]]
  })
  return { ...options, ...Object.fromEntries(lists) }
}

function allowedScopes ({ allowedScope }: Client): readonly string[] {
  if (allowedScope !== null) return parseScope(allowedScope)
  throw new CommandError('The app can request any scope. To limit it, list the scopes: --allowed-scope')
}
