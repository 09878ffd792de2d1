import { isOfOpenid } from '../../oauth/openid-scopes.js'
import { parseScope } from '../../oauth/scope.js'
import type { Role } from '../../stores/roles.js'
import { assertNone, CommandError } from '../command-error.js'
import { didYouMean } from '../nearest.js'
import { quote } from '../text.js'

/** Most roles, and most scopes of a role: what a person cannot grant is read with each session. */
const MOST = { roles: 100, scopes: 50 }

/** Reads the scopes of a role. @throws CommandError with a sentence for what is wrong with them, or with the name */
export function readRole (name: string, scopes: string): string[] {
  assertNone(...whyNotRole(name, scopes))
  return parseScope(scopes)
}

/** Why a role is not valid, in a sentence for its name and sentences for its scopes; `null` for each rule that it keeps. */
export function whyNotRole (name: string, scopes: string): Array<string | null> {
  const parsed = parseScope(scopes)
  return [
    /^[A-Za-z0-9._-]{1,100}$/.test(name) ? null : 'The name of a role must be 1 to 100 of the characters A-Z a-z 0-9 . _ -',
    parsed.length > 0 && parsed.join(' ') === scopes && parsed.every(({ length }) => length <= 100)
      ? null
      : 'The scopes of a role must be scopes of at most 100 printable ASCII characters, each once, with one space between them.',
    parsed.length <= MOST.scopes ? null : `A role has at most ${MOST.scopes} scopes.`,
    parsed.some(isOfOpenid) ? 'Scopes of OpenID Connect, such as openid and email, need no role: people can always share who they are.' : null
  ]
}

/** @throws CommandError if there are as many roles as there may be */
export function assertRoom (roles: readonly Role[]): void {
  if (roles.length >= MOST.roles) throw new CommandError(`The limit of ${MOST.roles} roles is reached.`)
}

/** Makes the error for an unknown role. */
export function unknownRoleError (name: string, known: readonly Role[]): CommandError {
  const suggestion = didYouMean(name, known.map(role => role.name))
  return new CommandError(`There is no role ${quote(name)}.${suggestion} To see all: frontdesk-auth role list`)
}

/** A line for scopes that no role has any more: everyone may grant them; empty if there are none. */
export function warnOfFree (before: readonly string[], roles: readonly Role[]): string {
  const free = before.filter(scope => !roles.some(({ scopes }) => scopes.includes(scope)))
  return free.length === 0 ? '' : `\nNo role has ${free.join(' ')} now: everyone can grant it.`
}
