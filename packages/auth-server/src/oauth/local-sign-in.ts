import { isAdminScope } from './admin-scopes.js'
import { UPSTREAM, type Authentication } from './authentication.js'
import type { Client } from './client.js'
import { isConsole } from './console-client.js'

interface Requested { readonly client: Pick<Client, 'id'>, readonly scope: readonly string[] }

/** Whether users must sign in here, with a password or passkey: who controls the upstream provider must not administer this server. */
export function needsLocalSignIn ({ client, scope }: Requested): boolean {
  return isConsole(client) || scope.some(isAdminScope)
}

/** Whether a sign-in is one that the request accepts. */
export function acceptsSignIn (requested: Requested, { amr }: Pick<Authentication, 'amr'>): boolean {
  return !amr.split(' ').includes(UPSTREAM) || !needsLocalSignIn(requested)
}
