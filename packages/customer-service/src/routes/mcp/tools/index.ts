import type { Tool } from '../tool.js'
import { history } from './history.js'
import { readCustomer } from './read-customer.js'
import { searchCustomers } from './search-customers.js'

/** Every tool. Erasing is none: it cannot be undone. */
export const tools: readonly Tool[] = [searchCustomers, readCustomer, history]
