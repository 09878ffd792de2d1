import type { Customers } from '../stores/customers/customer-record.js'

/** What the operations on customers work with. */
export interface CustomerRoutesOptions {
  customers: Customers
  /** Address of the register. */
  home: string
  /** Address of a customer. */
  hrefOf (id: number): string
  /** Refuses writes to a customer without If-Match. */
  requireIfMatch: boolean
}
