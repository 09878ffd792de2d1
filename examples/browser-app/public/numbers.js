// Numbers, as people read them.

const numbers = new Intl.NumberFormat('en')

/** A number of things. */
export const count = number => numbers.format(number)

/** A number of customers. */
export const customersOf = number => `${count(number)} ${number === 1 ? 'customer' : 'customers'}`
