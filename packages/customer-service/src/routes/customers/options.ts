import type { Stores } from '../../stores/open.js'

/** What the operations on customers work with. */
export interface CustomerRoutesOptions extends Pick<Stores, 'customers' | 'idempotency' | 'search'> {
  /** Address of the register. */
  home: string
  /** Address of a customer. */
  hrefOf (id: number): string
  /** Refuses writes to a customer without If-Match. */
  requireIfMatch: boolean
}
