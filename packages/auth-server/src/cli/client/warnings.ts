import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import type { Client } from '../../oauth/client.js'
import { hasEnded } from '../../oauth/implicit.js'

/** Whether a client has no usable grant, so that it cannot get a token. */
export function isGrantless (
  { implicit, implicitUntil, grantTypes }: Pick<Client, 'implicit' | 'implicitUntil' | 'grantTypes'>,
  now: Date
): boolean {
  return grantTypes.length === 0 && hasEnded({ implicit, implicitUntil }, now)
}

/** The command that adds the code grant to a client. */
export function commandOf ({ id, callbacks }: Pick<Client, 'id' | 'callbacks'>): string {
  return `frontdesk-auth client update ${id} --grant authorization_code${callbacks.length === 0 ? ' --callback <uri>' : ''}`
}

/**
 * A line for each weakness of a client: no usable grant, optional PKCE, sign-in roles that do not exist; empty without one.
 * @param now the database's time @param missing a sentence for each of these roles
 */
export function warningsOf (client: Client, now: Date, missing: readonly string[]): string {
  return [warnOfNone(client, now), warnOfPkce(client), ...missing.map(sentence => `\nWarning: ${sentence}`)].join('')
}

/** A line that warns of a client without a usable grant; empty if it has one. @param now the database's time */
export function warnOfNone (client: Client, now: Date): string {
  if (!isGrantless(client, now)) return ''
  return `\nThe client ${quote(client.id)} has no usable grant. To add the code grant: ${commandOf(client)}`
}

/** A line that warns of a client that can omit PKCE; else empty. */
export function warnOfPkce ({ pkce }: Pick<Client, 'pkce'>): string {
  if (pkce === 'required') return ''
  return '\nWarning: without PKCE, this client cannot detect injected codes. Require PKCE once its library supports it: --pkce required'
}

/** The PKCE policy of a client, as text, with the time when it last omitted PKCE. */
export function describePkce ({ pkce, withoutPkceAt }: Pick<Client, 'pkce' | 'withoutPkceAt'>): string {
  if (withoutPkceAt === null) return pkce === 'required' ? 'required' : 'optional, never omitted'
  return `${pkce}, last omitted at ${withoutPkceAt.toISOString()}`
}

/** A table of the clients that can omit PKCE; empty without any. */
export function describeOmissions (clients: readonly Client[]): string[] {
  const optional = clients.filter(({ pkce }) => pkce === 'optional')
  return optional.length === 0 ? [] : ['', list(['CLIENT ID', 'PKCE'], optional.map(app => [app.id, describePkce(app)]))]
}

/** A line with a new secret; empty without one. */
export function shownOnce (secret: string | undefined): string {
  return secret === undefined ? '' : `\nIts secret, shown only now: ${secret}`
}
