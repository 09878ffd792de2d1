import { CommandError, UsageError } from '@frontdesk/service-kit/cli/errors'
import type { Options, OptionSpec } from '@frontdesk/service-kit/cli/option'
import type { ClientEntry } from '../../admin/client-entry.js'
import { parsePolicy } from '../../admin/implicit-policy.js'
import { edited, toEdit } from '../../admin/list-edit.js'
import { Refusal } from '../../admin/refusal.js'
import { choicesOf, usualText } from '../../oauth/client-field.js'
import { everyField, type AnyField } from '../../oauth/client.js'
import { parseScope } from '../../oauth/scope.js'
import { grantsOf } from '../../registration/client-rules.js'
import { readJwks, readLogo } from './files.js'

/** The values of the options that describe a client, by their names in camelCase. `--no-…` gives `false`. */
export type Given = Readonly<Record<string, unknown>>

/** A change as options describe it. */
type Change = Partial<Omit<ClientEntry, 'clientId' | 'disabled'>>

const described = everyField.flatMap(([name, field]) =>
  field.flag === undefined ? [] : [{ name, field, flag: field.flag, option: nameOf(field.flag) }])

/** Fields that other options, or a library, set for a new client. */
const SET_OTHERWISE: readonly string[] = ['idTokenClaims', 'implicit']

/** The options that describe a client. */
export function clientOptions (isNew: boolean): Options {
  const own = described.flatMap(({ name, field, flag }): Array<[string, OptionSpec]> => [
    [flag, specOf(field, isNew)],
    ...name === 'grantTypes' ? [['--confidential', 'it can keep a secret, and gets one'] satisfies [string, string]] : [],
    ...field.no === undefined || (isNew && !SET_OTHERWISE.includes(name))
      ? []
      : [[`--no-${wordOf(flag)}`, field.no] satisfies [string, string]]
  ])
  const edits = described.flatMap(({ field: { item }, flag, option }) => item === undefined || isNew
    ? []
    : ['add', 'remove'].map((verb): [string, OptionSpec] =>
        [flag.replace('--', `--${verb}-`), {
          says: `${verb} ${item.startsWith('a') ? 'an' : 'a'} ${item}; repeatable`, repeatable: true, conflicts: option
        }]))
  return Object.fromEntries([...own, ...edits])
}

function specOf (field: AnyField, isNew: boolean): OptionSpec {
  const { schema, file, says, option, default: usual } = field
  const isList = schema?.type === 'array'
  const text = option ?? (schema?.type === 'boolean' ? says.replace(/^Whether /, '') : `${says.charAt(0).toLowerCase()}${says.slice(1)}`)
  const whenNone = field.usual ?? usualText(field)
  const allowed = file ?? schema
  const choices = allowed === undefined ? [] : choicesOf(allowed)
  return {
    ...isNew && usual === undefined && { required: true },
    says: `${text}${isList ? '; repeatable' : ''}${isNew && whenNone !== undefined ? ` (default: ${whenNone})` : ''}`,
    ...isList && { repeatable: true },
    ...choices.length > 0 && { choices },
    ...allowed?.pattern !== undefined && { parse: policy }
  }
}

function policy (text: string): string {
  try {
    parsePolicy(text)
    return text
  } catch (error) {
    return asUsage(error)
  }
}

/** The fields that options set. @param before the current client; a new one with its defaults @throws Refusal, CommandError */
export function toChange (options: Given, before: ClientEntry): Change {
  const given = { ...options, ...editedLists(options, before) }
  const fields = described.filter(({ option }) => given[option] !== undefined)
    .map(({ name, field, option }) => [name, valueOf(field, given[option])])
  return {
    // as: each option has the value of its field, except those that follow.
    ...Object.fromEntries(fields) as Change,
    ...files(given),
    ...grants(given, before),
    ...authentication(given, before),
    ...subject(given, before)
  }
}

function valueOf ({ schema, default: usual }: AnyField, given: unknown): unknown {
  if (Array.isArray(given)) return [...new Set(given)]
  if (given === false && schema?.type !== 'boolean') return usual
  if (typeof given !== 'string' || schema?.anyOf?.[0]?.type !== 'integer') return given
  return /^\d+$/.test(given) ? Number(given) : NaN
}

/** The lists that `--add-…` and `--remove-…` change, as options that replace them. */
function editedLists (options: Given, before: ClientEntry): Given {
  return Object.fromEntries(described.flatMap(({ name, field: { item }, option }) => {
    const [add, remove] = ['add', 'remove'].map(verb => options[`${verb}${option.charAt(0).toUpperCase()}${option.slice(1)}`])
    // as: repeatable options collect their values.
    const edit = toEdit(add as string[] | undefined, remove as string[] | undefined)
    if (item === undefined || edit === undefined) return []
    const value = before[name]
    if (value === '*') throw new CommandError('The allowed scope is * (any scope). To change it, list the scopes with --allowed-scope.')
    const list = edited(typeof value === 'string' ? parseScope(value) : listOf(name, before), edit, item)
    return [[option, typeof value === 'string' ? list.join(' ') : list]]
  }))
}

function listOf (name: string, before: ClientEntry): readonly string[] {
  if (name === 'grantTypes') return grantsOf(before)
  // as: only lists can be edited.
  return before[name as 'callbacks']
}

function files ({ logo, jwks }: Given): Change {
  return {
    ...logo !== undefined && { logo: logo === false ? null : readLogo(String(logo)) },
    ...jwks !== undefined && { jwks: readJwks(String(jwks)) }
  }
}

/** `--grant implicit` sets the same field as `--implicit`. */
function grants ({ grant, implicit }: Given, before: ClientEntry): Change {
  if (implicit !== undefined) return { implicit: implicit === false ? 'off' : String(implicit), ...withoutImplicit(grant) }
  if (!Array.isArray(grant)) return {}
  if (!grant.includes('implicit')) return { implicit: 'off', ...withoutImplicit(grant) }
  return { ...before.implicit === 'off' && { implicit: 'allowed' }, ...withoutImplicit(grant) }
}

function withoutImplicit (grant: unknown): Change {
  return Array.isArray(grant) ? { grantTypes: [...new Set(grant)].filter(it => it !== 'implicit') } : {}
}

/** Derives the method from the credentials if it is not named. Keys belong to private_key_jwt: another method removes them. */
function authentication ({ confidential, authMethod, jwks, jwksUri }: Given, before: ClientEntry): Change {
  if ([confidential, authMethod, jwks, jwksUri].every(it => it === undefined)) return {}
  const hasKeys = (jwks ?? jwksUri) !== undefined
  const usual = hasKeys ? 'private_key_jwt' : confidential ? 'client_secret_basic' : 'none'
  return {
    tokenEndpointAuthMethod: String(authMethod ?? usual),
    ...!(authMethod === 'private_key_jwt' && !hasKeys) && {
      jwks: jwks === undefined ? null : readJwks(String(jwks)),
      jwksUri: jwksUri === undefined ? null : String(jwksUri)
    }
  }
}

/** Keeps the sector when callbacks change, unless another is named. */
function subject ({ subjectType, sectorIdentifier }: Given, before: ClientEntry): Change {
  if ((subjectType ?? sectorIdentifier) === undefined) return {}
  const type = subjectType === undefined ? before.subjectType : subjectType === 'pairwise' ? 'pairwise' : 'public'
  const named = sectorIdentifier === undefined ? null : String(sectorIdentifier)
  return { subjectType: type, sectorIdentifier: named ?? (type === 'public' ? null : before.sectorIdentifier) }
}

/** Reports an invalid policy of the implicit grant as wrong usage, since it is an option or argument. */
export function asUsage (error: unknown): never {
  throw error instanceof Refusal && error.faults.every(({ field }) => field === 'implicit') ? new UsageError(error.message) : error
}

function wordOf (flag: string): string {
  return flag.slice('--'.length).split(' ')[0]!
}

function nameOf (flag: string): string {
  return wordOf(flag).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
