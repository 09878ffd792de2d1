import { parseForm } from '../input/form.js'
import { parseObject, type Members } from '../input/json.js'
import { formInvalid, jsonInvalid } from '../problems/customer.js'
import type { Maker } from '../problems/define.js'
import type { Sent } from './check.js'
import { fields, type FieldName } from './fields.js'

/** A body that says something of a customer, whichever way it is written. */
export interface CustomerBody {
  sent: Sent
  /** Makes the refusal of what is wrong in it. */
  invalid: Maker
}

/** Reads a form. @throws ProblemError `form-malformed` */
export function readForm (body: Uint8Array): CustomerBody {
  return { sent: parseForm(body), invalid: formInvalid }
}

/** Reads a JSON object, as a form reads its fields. @throws ProblemError `json-malformed` */
export function readJson (body: Uint8Array): CustomerBody {
  return { sent: asFields(parseObject(body)), invalid: jsonInvalid }
}

function asFields ({ values, repeated }: Members): Sent {
  const sent: Sent = Object.create(null)
  for (const [name, value] of Object.entries(values)) {
    const times = repeated.get(name)
    sent[name] = times === undefined ? asField(name, value) : Array(times).fill('')
  }
  return sent
}

/** A text and the number that it writes are two things in JSON. */
function asField (name: string, value: unknown): Sent[string] {
  if (!isField(name)) return ''
  if (value === null) return { mistake: 'Must not be null: every customer has it.' }
  const type = typeof value
  if (type !== fields[name].json) return { mistake: `Must be a JSON ${fields[name].json}.` }
  return String(value)
}

function isField (name: string): name is FieldName {
  return Object.hasOwn(fields, name)
}
