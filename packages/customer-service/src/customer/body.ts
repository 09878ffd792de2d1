import type { FieldError } from '@frontdesk/schemas/field-error'
import { parseForm } from '../input/form.js'
import { parseObject, type Members } from '../input/json.js'
import { formInvalid, jsonInvalid } from '../problems/customer.js'
import type { Maker } from '../problems/define.js'
import { fieldsError, type Mistake, type Sent } from './check.js'
import { fields, type FieldName } from './fields.js'

/** A body with fields of a customer, from a form or from JSON. */
export interface CustomerBody {
  sent: Sent
  /** Makes the error for invalid fields. */
  invalid: Maker
}

/** A null in JSON: in a merge patch, it would remove the field (RFC 7396). */
export const NULL: Mistake = { mistake: 'Must not be null: every customer has it.' }

/** Parses a form. @throws ProblemError `form-malformed` */
export function readForm (body: Uint8Array): CustomerBody {
  return { sent: parseForm(body), invalid: formInvalid }
}

/** Parses a JSON object into the same fields as a form. @throws ProblemError `json-malformed` */
export function readJson (body: Uint8Array): CustomerBody {
  return toBody(parseObject(body))
}

/** The members of a JSON object as the same fields. */
export function toBody (members: Members): CustomerBody {
  return { sent: asFields(members), invalid: jsonInvalid }
}

/** Makes the error for invalid members of a JSON object. */
export function membersError (errors: FieldError[]) {
  return fieldsError(errors, jsonInvalid)
}

function asFields ({ values, repeated }: Members): Sent {
  const sent: Sent = Object.create(null)
  for (const [name, value] of Object.entries(values)) {
    const times = repeated.get(name)
    sent[name] = times === undefined ? asField(name, value) : Array(times).fill('')
  }
  return sent
}

/** Rejects values of another JSON type, such as a number in quotes. */
function asField (name: string, value: unknown): Sent[string] {
  if (!isField(name)) return ''
  if (value === null) return NULL
  const type = typeof value
  if (type !== fields[name].json) return { mistake: `Must be a JSON ${fields[name].json}.` }
  return String(value)
}

function isField (name: string): name is FieldName {
  return Object.hasOwn(fields, name)
}
