import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { whyNotName } from '../../input/text.js'
import { message, type Text } from '../../languages/translator.js'
import { builtInRoles } from '../../oauth/admin-scopes.js'
import { single } from '../../oauth/parameters.js'
import { readAttributes } from '../../oauth/read-attributes.js'
import { normalize } from '../../oauth/user-rules.js'
import { whyNotPassword } from '../../sign-in/password-rule.js'
import { foldEmail, foldUsername, resemblesEmail } from '../../stores/users/user-columns.js'

/** User names with which someone could pose as the operator (RFC 2142), and those of built-in roles. */
const RESERVED_NAMES: readonly string[] = [
  ...Object.keys(builtInRoles), 'abuse', 'admin', 'help', 'helpdesk', 'hostmaster', 'info', 'moderator', 'no-reply', 'noreply', 'operator',
  'postmaster', 'root', 'security', 'system', 'webmaster'
]

/** Scripts that a user name can have together: those of one East Asian language, with Latin. */
const MIXED_SCRIPTS = [['Latin', 'Han', 'Hiragana', 'Katakana'], ['Latin', 'Han', 'Bopomofo'], ['Latin', 'Han', 'Hangul']]

/** The other scripts in common use (UAX 31, table 5). */
const SCRIPTS = [
  'Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati', 'Gurmukhi', 'Hebrew', 'Kannada',
  'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'
]

/** Texts in one script, or in {@link MIXED_SCRIPTS}: the level "Highly Restrictive" of UTS 39 §5.2. */
const ONE_SCRIPT = new RegExp([...MIXED_SCRIPTS, ...SCRIPTS.map(it => [it])]
  .map(scripts => ['Common', 'Inherited', ...scripts].map(script => `\\p{Script_Extensions=${script}}`).join(''))
  .map(characters => `^[${characters}]*$`)
  .join('|'), 'u')

/** A field of the form that creates an account. */
export type AccountField = 'username' | 'password' | 'name' | 'terms'

/** The form as typed. */
export interface TypedAccount { readonly username: string, readonly password: string, readonly name: string }

/** Reads the form that creates an account. */
export function readTyped ({ form }: FastifyRequest): TypedAccount {
  const textOf = (name: string) => single(form, name) ?? ''
  return { username: textOf('username').trim(), password: textOf('new_password'), name: normalize(textOf('name').trim()) }
}

/** Why an account cannot be created, with the invalid field; `null` if it can. @param accepted the accepted version of the terms */
export async function whyNotAccount (
  { username, password, name }: TypedAccount,
  email: string,
  accepted: string | undefined,
  { passwordMin, terms }: Pick<Config, 'passwordMin' | 'terms'>
): Promise<{ readonly field: AccountField, readonly message: Text } | null> {
  const reasons: Array<[AccountField, Text | null | undefined]> = [
    ['username', whyNotName('user_name', username) ?? whyNotOwn(username, email)],
    ['name', readAttributes({ name }).faults.name],
    ['password', await whyNotPassword({ password, passwordMin }, { username, name, email })],
    ['terms', terms === undefined || accepted === terms.version ? null : message('create-account.accept-terms')]
  ]
  const [field, why] = reasons.find(([, reason]) => reason) ?? []
  return field === undefined || !why ? null : { field, message: why }
}

/** The suggested user name. Not the address: apps that may see the user name may not see the address. */
export function suggestUsername (email: string): string {
  return email.replace(/@.*$/s, '').replace(/\+.*$/s, '').slice(0, 100)
}

function whyNotOwn (username: string, email: string): Text | null {
  // It could look like another user's.
  if (/[\p{Default_Ignorable_Code_Point}\u2800]/u.test(username)) return message('create-account.invisible-character')
  if (RESERVED_NAMES.includes(foldUsername(username))) return message('create-account.reserved-name')
  if (!resemblesEmail(username)) return ONE_SCRIPT.test(username) ? null : message('create-account.mixed-scripts')
  // At sign-in, user names come before addresses: it could be another user's.
  return foldEmail(username) === foldEmail(email) ? null : message('create-account.foreign-name')
}
