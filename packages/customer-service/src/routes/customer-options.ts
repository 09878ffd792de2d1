import type { Customers } from '../stores/customers.js'

/** What the four operations work with. */
export interface CustomerRoutesOptions {
  customers: Customers
  /** Address of a customer. */
  hrefOf (id: number): string
}
