// The fields of a customer, in the order of the table.

export const labels = { customerid: 'Number', customername: 'Name', customerage: 'Age', customeraddress: 'Address' }

/** The fields that can be changed: all but the number. */
const editable = Object.keys(labels).slice(1)

/** The editable fields of a customer, as a form has them: text. */
export const valuesOf = customer => Object.fromEntries(editable.map(name => [name, String(customer[name])]))

/** The editable fields in which two customers differ; a form counts as one. */
export const differences = (one, other) => editable.filter(name => String(one[name]) !== String(other[name]))
