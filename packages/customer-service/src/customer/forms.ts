import type { Fields } from '../input/form.js'
import { formInvalid } from '../problems/customer.js'
import { fields, type FieldName } from './fields.js'

/**
 * Reads the form that registers a customer.
 * @throws ProblemError `form-invalid` with every field that is wrong
 */
export function parseRegistration (form: Fields) {
  const { customerid, customername, customerage, customeraddress } = check(form, ['customerid', 'customername', 'customerage', 'customeraddress'], [])
  return { id: Number(customerid), name: customername, age: Number(customerage), address: customeraddress }
}

/**
 * Reads the form that changes an address; `id` says which of several customers with the name.
 * @throws ProblemError `form-invalid` with every field that is wrong
 */
export function parseMove (form: Fields) {
  const { customername, customeraddress, customerid } = check(form, ['customername', 'customeraddress'], ['customerid'])
  return { name: customername, address: customeraddress, ...(customerid === undefined ? {} : { id: Number(customerid) }) }
}

function check<R extends FieldName, O extends FieldName> (form: Fields, required: R[], optional: O[]) {
  const known: FieldName[] = [...required, ...optional]
  const misspelt = Object.keys(form).flatMap(field => {
    const name = known.find(name => name !== field && name === field.toLowerCase())
    return name === undefined ? [] : [{ field, name }]
  })
  const errors = misspelt.map(({ field, name }) => ({ field, detail: `There is no such field; did you mean \`${name}\`?` }))
  for (const name of known) {
    const isMissing = form[name] === undefined
    if (isMissing && (optional.includes(name as O) || misspelt.some(it => it.name === name))) continue
    const detail = isMissing ? 'Is missing.' : checkValue(name, form[name])
    if (detail !== undefined) errors.push({ field: name, detail })
  }
  if (errors.length > 0) {
    throw formInvalid(`Correct the fields in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
  }
  // as: every required field is there, and none is repeated; that is what was just checked.
  return form as Record<R, string> & Partial<Record<O, string>>
}

function checkValue (name: FieldName, value: string | string[] = '') {
  return typeof value === 'string' ? fields[name](value) : `Must be sent once; it came ${value.length} times.`
}
