import type { Administrator } from '../stores/access/administrators.js'

/** Who performs an action: a signed-in user or a client, with the request's address, or the operating system user of a shell. */
export type Actor =
  | Administrator & { readonly source: string, readonly requestId?: string }
  | { readonly kind: 'shell', readonly name: string }
