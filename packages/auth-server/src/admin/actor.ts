import type { Administrator } from '../stores/access/administrators.js'

/** Who performs an action: a signed-in user or a client, with the request's address, or the operating system user of a shell. */
export type Actor =
  | Administrator & { readonly source: string, readonly requestId?: string }
  | { readonly kind: 'shell', readonly name: string }

/** The name of an actor in the audit trail: the id of a user or a client, or the name of the shell's user. */
export function nameOf (by: Actor): string {
  return by.kind === 'shell' ? by.name : by.kind === 'user' ? by.userId : by.clientId
}
