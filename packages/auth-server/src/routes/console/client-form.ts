import { Value } from '@sinclair/typebox/value'
import type { TSchema } from '@sinclair/typebox'
import { ClientEntry } from '../../admin/client-entry.js'
import { invalid } from '../../admin/refusal.js'
import { choicesOf } from '../../oauth/client-field.js'
import { everyField } from '../../oauth/client.js'
import { DEVICE_CODE, USUAL_GRANTS } from '../../oauth/grant-types.js'
import { checkedOf, textOf, wordsOf, type Visit } from './define.js'

type Name = keyof ClientEntry

/** Fields that are not text, or that other forms change. */
const OMITTED: readonly Name[] = ['clientId', 'logo', 'jwks', 'disabled']

/** The fields that most apps need. */
const USUAL: readonly Name[] = [
  'name', 'callbacks', 'postLogoutRedirectUris', 'grantTypes', 'defaultScope', 'allowedScope', 'tokenEndpointAuthMethod'
]

/** Labels that differ from those of `client show`. */
const LABELS: Partial<Record<Name, string>> = {
  subjectType: 'Subject type', sectorIdentifier: 'Sector'
}

/** The choices of a list. */
const GRANTS = [...USUAL_GRANTS, 'client_credentials', DEVICE_CODE]

/** How a field of a client is edited. */
interface FormField {
  readonly name: Name
  readonly label: string
  readonly hint: string
  readonly isUsual: boolean
  readonly kind: 'text' | 'lines' | 'box' | 'boxes' | 'choice'
  readonly choices: readonly string[]
  readonly isNullable: boolean
  readonly isNumber: boolean
}

const editable = everyField.filter(([name]) => !OMITTED.includes(name))

const formFields: readonly FormField[] = editable.map(([name, { show, says, null: none }]) => {
  // as: the schema has a property for each field.
  const schema = ClientEntry.properties[name] as TSchema
  const types = [schema, ...schema.anyOf ?? []].map(({ type }) => type)
  const choices = name === 'grantTypes' ? GRANTS : choicesOf(schema)
  const kind = kindOf(types, choices.length > 0)
  const hint = `${says}.${none === undefined ? '' : ` Empty: ${none}.`}${kind === 'lines' ? ' One per line.' : ''}`
  return {
    name,
    label: kind === 'box' ? capitalized(says.replace(/^Whether (it )?/, '')) : LABELS[name] ?? show?.[0] ?? name,
    hint,
    isUsual: USUAL.includes(name),
    kind,
    choices,
    isNullable: types.includes('null'),
    isNumber: types.includes('integer')
  }
})

function capitalized (text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function kindOf (types: readonly unknown[], hasChoices: boolean): FormField['kind'] {
  if (types.includes('boolean')) return 'box'
  if (types.includes('array')) return hasChoices ? 'boxes' : 'lines'
  return hasChoices ? 'choice' : 'text'
}

/** The fields with a client's values. The form sends `shown` back, so that saving changes only what was edited on the page. */
export function fieldsOf (entry: Readonly<Record<string, unknown>>, only: (field: FormField) => boolean = () => true) {
  return formFields.filter(only).map(field => {
    const value = entry[field.name]
    return { ...field, stored: Array.isArray(value) ? value : value ?? '', shown: JSON.stringify(value) }
  })
}

/** The fields that differ from what the page showed. @throws Refusal if a value has another type */
export function changeOf (visit: Pick<Visit, 'form'>): Partial<Omit<ClientEntry, 'clientId' | 'disabled'>> {
  const changed = formFields.flatMap(field => {
    const { name } = field
    const value = valueOf(visit, field)
    if (JSON.stringify(value) === textOf(visit, `shown_${name}`)) return []
    if (!Value.Check(ClientEntry.properties[name] as TSchema, value)) throw invalid(name, `${field.label}: this value is not valid.`)
    return [[name, value] as const]
  })
  // as: the schema has checked the types.
  return Object.fromEntries(changed) as ReturnType<typeof changeOf>
}

function valueOf (visit: Pick<Visit, 'form'>, { name, kind, isNullable, isNumber }: FormField): unknown {
  const text = textOf(visit, name)
  switch (kind) {
    case 'box': return text === 'yes'
    case 'boxes': return checkedOf(visit, name)
    case 'lines': return wordsOf(visit, name)
    default: return text === '' && isNullable ? null : isNumber && /^\d+$/.test(text) ? Number(text) : text
  }
}
