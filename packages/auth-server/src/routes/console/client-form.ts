import { reason } from '../../languages/reason.js'
import { Value } from '@sinclair/typebox/value'
import type { TSchema } from '@sinclair/typebox'
import { ClientEntry, type FieldDifferences } from '../../admin/client-entry.js'
import { invalid } from '../../admin/refusal.js'
import { clientAuth } from '../../client-auth/index.js'
import { withoutNulls } from '../../input/without-nulls.js'
import { fields } from '../../languages/en/console/fields.js'
import { message, type Message } from '../../languages/translator.js'
import { choicesOf, type FieldKey } from '../../oauth/client-field.js'
import { everyField } from '../../oauth/client.js'
import { DEVICE_CODE, USUAL_GRANTS } from '../../oauth/grant-types.js'
import { checkedOf, textOf, wordsOf, type Visit } from './define.js'

type Name = keyof ClientEntry

/** Fields that are not text, or that other forms change. */
const OMITTED = ['clientId', 'logo', 'implicit', 'disabled'] as const satisfies Name[]

type EditableName = Exclude<Name, typeof OMITTED[number]>

/** The fields that most apps need. */
const USUAL: readonly Name[] = [
  'name', 'callbacks', 'postLogoutRedirectUris', 'grantTypes', 'defaultScope', 'allowedScope', 'signInRoles', 'tokenEndpointAuthMethod'
]

/** Fields with space-separated values. */
const SCOPES: readonly Name[] = ['defaultScope', 'allowedScope']

const JWK_SET = '{"keys": [{"kty": "RSA", …}]}'

/** The choices of fields whose schema allows any text. */
const CHOICES: Partial<Record<Name, readonly string[]>> = {
  grantTypes: [...USUAL_GRANTS, 'client_credentials', DEVICE_CODE], tokenEndpointAuthMethod: clientAuth.map(({ name }) => name)
}

/** How a field of a client is edited. */
interface FormField {
  readonly name: EditableName
  readonly label: `field.${EditableName}`
  readonly hint: readonly Message[]
  readonly isUsual: boolean
  readonly kind: 'text' | 'lines' | 'json' | 'box' | 'boxes' | 'choice'
  readonly choices: readonly string[]
  /** Choices in words. */
  readonly words: Readonly<Record<string, Message>>
  readonly isNullable: boolean
  readonly isNumber: boolean
  /** What an empty value means. */
  readonly none: Message
}

const isEditable = (name: Name): name is EditableName => !OMITTED.some(it => it === name)

const formFields: readonly FormField[] = everyField.flatMap(([name, { null: none, words = {} }]) => {
  if (!isEditable(name)) return []
  // as: the schema has a property for each field.
  const schema = ClientEntry.properties[name] as TSchema
  const types = [schema, ...schema.anyOf ?? []].map(({ type }) => type)
  const choices = CHOICES[name] ?? choicesOf(schema)
  const kind = kindOf(types, choices.length > 0)
  // as: the catalogue has it for each field that has `null`.
  const empty = message(none === undefined ? 'console.none' : `field.${name}.none` as FieldKey)
  return [{
    name,
    label: `field.${name}`,
    hint: kind === 'box'
      ? []
      : [
          // as: the catalogue has it for each field that is no box.
          message('console.edit.hint', { hint: message(`field.${name}.hint` as FieldKey) }),
          ...none === undefined || '' in words ? [] : [message('console.edit.empty', { none: empty })],
          ...kind === 'lines' ? [message('console.edit.one-per-line')] : []
        ],
    isUsual: USUAL.includes(name),
    kind,
    choices,
    words,
    isNullable: types.includes('null'),
    isNumber: types.includes('integer'),
    none: empty
  }]
})

function kindOf (types: readonly unknown[], hasChoices: boolean): FormField['kind'] {
  if (types.includes('boolean')) return 'box'
  if (types.includes('object')) return 'json'
  if (types.includes('array')) return hasChoices ? 'boxes' : 'lines'
  return hasChoices ? 'choice' : 'text'
}

/** The fields with a client's values. The form sends `shown` back, so that saving changes only what was edited on the page. */
export function fieldsOf (entry: Readonly<Record<string, unknown>>, only: (field: FormField) => boolean) {
  return formFields.filter(only).map(field => {
    const value = entry[field.name]
    return { ...field, stored: storedOf(field, value), shown: JSON.stringify(value) }
  })
}

function storedOf ({ kind }: FormField, value: unknown): unknown {
  return value !== null && kind === 'json' ? JSON.stringify(value, null, 2) : value ?? ''
}

/** The fields that differ from what the page showed. @throws Refusal if a value has another type */
export function changeOf (visit: Pick<Visit, 'form'>): Partial<Omit<ClientEntry, 'clientId' | 'disabled'>> {
  const changed = formFields.flatMap(field => {
    const { name } = field
    const value = valueOf(visit, field)
    if (JSON.stringify(value) === textOf(visit, `shown_${name}`)) return []
    if (Value.Check(ClientEntry.properties[name] as TSchema, value)) return [[name, value] as const]
    const label = { key: field.label, sentence: fields[field.label] }
    throw invalid(name, field.kind === 'json' ? reason('reason.jwks', { label, example: JWK_SET }) : reason('reason.value', { label }))
  })
  // as: the schema has checked the types.
  return Object.fromEntries(changed) as ReturnType<typeof changeOf>
}

function valueOf (visit: Pick<Visit, 'form'>, { name, kind, isNullable, isNumber }: FormField): unknown {
  // Several boxes share one name, so there is no single text.
  if (kind === 'boxes') return checkedOf(visit, name)
  const text = textOf(visit, name)
  switch (kind) {
    case 'box': return text === 'yes'
    case 'lines': return wordsOf(visit, name)
    case 'json': return text === '' ? null : parseJson(text)
    default: return text === '' && isNullable ? null : isNumber && /^\d+$/.test(text) ? Number(text) : text
  }
}

/** A parsed text; the text itself if it is not JSON. */
function parseJson (text: string): unknown {
  try {
    return withoutNulls(JSON.parse(text))
  } catch {
    return text
  }
}

/** The changed fields for display, each with its values before and after. */
export function showDifferences (differences: FieldDifferences) {
  return formFields.flatMap(({ name, label, kind, none, words }) => {
    const values = differences[name]
    if (values === undefined) return []
    const [from = [], to = []] = [values.from, values.to].map(value => linesOf(name, value))
    const mark = (lines: readonly string[], others: readonly string[]) =>
      lines.map(line => ({ text: words[line] ?? (kind === 'box' ? message(line === 'yes' ? 'console.edit.yes' : 'console.edit.no') : line), isSame: others.includes(line) }))
    return [{ label, none, from: mark(from, to), to: mark(to, from) }]
  })
}

function linesOf (name: Name, value: unknown): string[] {
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  if (Array.isArray(value)) return value.map(String)
  if (value === null || value === undefined || value === '') return []
  // as: the only object is a JWK Set.
  if (typeof value === 'object') return (value as { keys: object[] }).keys.map(key => JSON.stringify(key))
  return SCOPES.includes(name) ? String(value).split(' ') : [String(value)]
}
