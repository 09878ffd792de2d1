import { list } from '@frontdesk/service-kit/cli/table'
import type { Client } from '../../oauth/client.js'

/** The PKCE policy of an app, as text, with the time when it last omitted PKCE. */
export function describePkce ({ pkce, withoutPkceAt }: Pick<Client, 'pkce' | 'withoutPkceAt'>): string {
  if (withoutPkceAt === null) return pkce === 'required' ? 'required' : 'optional, never omitted'
  return `${pkce}, last omitted at ${withoutPkceAt.toISOString()}`
}

/** A table of the apps that may omit PKCE; none if there are none. */
export function describeOmissions (clients: readonly Client[]): string[] {
  const optional = clients.filter(({ pkce }) => pkce === 'optional')
  return optional.length === 0 ? [] : ['', list(['CLIENT ID', 'PKCE'], optional.map(app => [app.id, describePkce(app)]))]
}

/** A warning for an app that may omit PKCE; else an empty text. */
export function warnOfPkce ({ pkce }: Pick<Client, 'pkce'>): string {
  if (pkce === 'required') return ''
  return '\nWarning: without PKCE, this app cannot detect injected codes. Require PKCE once its library supports it: --pkce required'
}
