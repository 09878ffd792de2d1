import type { Client } from '../../oauth/client.js'
import { quote } from '../text.js'

/** The PKCE policy of an app, as text, with the time when it last omitted PKCE. */
export function describePkce ({ pkce, withoutPkceAt }: Pick<Client, 'pkce' | 'withoutPkceAt'>): string {
  if (withoutPkceAt === null) return pkce === 'required' ? 'required' : 'optional, never left out'
  return `${pkce}, last left out at ${withoutPkceAt.toISOString()}`
}

/** A line of a list for an app that may omit PKCE; else none. */
export function describeOmission (client: Client): string[] {
  return client.pkce === 'required' ? [] : [`PKCE of ${quote(client.id)}: ${describePkce(client)}`]
}

/** A warning for an app that may omit PKCE; else an empty text. */
export function warnOfPkce ({ pkce }: Pick<Client, 'pkce'>): string {
  if (pkce === 'required') return ''
  return '\nWarning: without PKCE, a code that is injected into this app is not detected. Require it once its library can: --pkce required'
}
