import type { Client } from '../../oauth/client.js'
import { quote } from '../text.js'

/** The PKCE policy of an app, as text, with the time when it last omitted PKCE. */
export function describePkce ({ pkce, withoutPkceAt }: Pick<Client, 'pkce' | 'withoutPkceAt'>): string {
  if (withoutPkceAt === null) return pkce === 'required' ? 'required' : 'optional, never omitted'
  return `${pkce}, last omitted at ${withoutPkceAt.toISOString()}`
}

/** A line of a list for an app that may omit PKCE; else none. */
export function describeOmission (client: Client): string[] {
  return client.pkce === 'required' ? [] : [`PKCE of ${quote(client.id)}: ${describePkce(client)}`]
}

/** A warning for an app that may omit PKCE; else an empty text. */
export function warnOfPkce ({ pkce }: Pick<Client, 'pkce'>): string {
  if (pkce === 'required') return ''
  return '\nWarning: without PKCE, this app cannot detect injected codes. Require PKCE once its library supports it: --pkce required'
}
