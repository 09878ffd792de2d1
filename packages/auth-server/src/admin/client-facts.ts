import type { FieldKey, FieldText } from '../oauth/client-field.js'
import { everyField, type Client } from '../oauth/client.js'
import { grantsOf } from '../registration/client-rules.js'
import { writePolicy } from './implicit-policy.js'

/** The fields of a client for display, in the order of the docs: each label with its value, or its values. @param others texts of fields */
export function clientFacts (
  client: Client, others: Readonly<Record<string, FieldText>> = {}
): Array<readonly [label: FieldKey, value: FieldText | readonly string[]]> {
  // Texts that depend on other columns, too.
  const texts: Readonly<Record<string, FieldText>> = {
    implicit: writePolicy(client), grantTypes: grantsOf(client).join(' ') || { key: 'field.none' }, ...others
  }
  const columns: Readonly<Record<string, unknown>> = { ...client }
  return everyField.flatMap(([name, { show }]): Array<readonly [FieldKey, FieldText | readonly string[]]> => {
    // A logo is not among the columns.
    if (show === undefined || !(name in columns || name in texts)) return []
    const value = columns[name]
    const [label, text] = show
    if (Array.isArray(value) && !(name in texts)) return [[label, value]]
    const shown = texts[name] ?? (text === undefined ? String(value) : text(value))
    return shown === undefined ? [] : [[label, shown]]
  })
}
