// The fields of a customer, in the order of the table.

export const labels = { customerid: 'Number', customername: 'Name', customerage: 'Age', customeraddress: 'Address' }

const names = Object.keys(labels)

/** The fields of a customer, as a form has them: text. */
export const valuesOf = customer => Object.fromEntries(names.map(name => [name, String(customer[name])]))

/** The fields in which two customers differ; a form counts as one. */
export const differences = (one, other) => names.filter(name => String(one[name]) !== String(other[name]))
