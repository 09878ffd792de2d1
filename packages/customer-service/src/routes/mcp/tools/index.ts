import type { Tool } from '../tool.js'
import { changeCustomer } from './change-customer.js'
import { history } from './history.js'
import { readCustomer } from './read-customer.js'
import { registerCustomer } from './register-customer.js'
import { removeCustomer } from './remove-customer.js'
import { restoreCustomer } from './restore-customer.js'
import { searchCustomers } from './search-customers.js'

/** Every tool. Erasing is none: it cannot be undone. */
export const tools: readonly Tool[] = [
  searchCustomers, readCustomer, history, registerCustomer, changeCustomer, removeCustomer, restoreCustomer
]
