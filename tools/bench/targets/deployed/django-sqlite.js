import { djangoCustomers } from './django/customers.js'

export default djangoCustomers('sqlite')
