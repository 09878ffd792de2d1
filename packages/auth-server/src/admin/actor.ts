import type { Administrator } from '../stores/access/administrators.js'

/** Who does an action: a signed-in user or a client at an address, by a request, or the operating system's user of a shell. */
export type Actor =
  | Administrator & { readonly source: string, readonly requestId?: string }
  | { readonly kind: 'shell', readonly name: string }
