import { Kind, Type, TypeRegistry, type Static, type TSchema } from '@sinclair/typebox'
import type { fields } from '../languages/en/console/fields.js'
import type { Message } from '../languages/translator.js'

/** Names a text about fields. */
export type FieldKey = keyof typeof fields

/** A value as text: a message, or what is the same in every language. */
export type FieldText = string | { readonly key: FieldKey, readonly values?: Readonly<Record<string, string>> }

/** The description of a client's field. */
export interface FieldFacts<Value> {
  /** Describes it, in a sentence without its period, in the clients file, the option and the metadata. */
  readonly says: string
  /** Continues that sentence in the clients file. */
  readonly note?: string
  /** Default value. */
  readonly default?: Value
  /** What `null` means, in a few words. */
  readonly null?: string
  /** Its choices in words, for pages; empty: `null`. */
  readonly words?: Readonly<Record<string, Message>>
  /** Table of a list's values, with the columns `client_id` and `uri`. Other lists are space-separated in a column. */
  readonly table?: string
  /** Schema of the value in the clients file and `--json`, with its default, if it differs. */
  readonly file?: TSchema
  /** Member of client metadata (RFC 7591 §2). Without it, clients cannot register this field themselves. */
  readonly wire?: string | { readonly name: string, readonly note?: string, readonly default?: string }
  /** Option of `client add` and `client update`, with its placeholder. */
  readonly flag?: string
  /** Describes the option, instead of `says`. */
  readonly option?: string
  /** One value of a list, in words: options add and remove it. */
  readonly item?: string
  /** The default of the option, instead of {@link usualText}. */
  readonly usual?: string
  /** Describes the option `--no-…` of `client update`. */
  readonly no?: string
  /** Line of `client show`: its label, and the value in words; `undefined`: no line. */
  readonly show?: readonly [label: FieldKey, text?: (value: Value) => FieldText | undefined]
}

/** The value of a field as it is written in the clients file, in metadata and in forms. */
export type Written<Field> = Field extends { file: infer S extends TSchema } ? Static<S>
  : Field extends { schema: infer S extends TSchema } ? Static<S> : never

/** A field that a client has. */
export function field<S extends TSchema, const F extends FieldFacts<Static<S>>> (schema: S, facts: F): { readonly schema: S } & F {
  return { schema, ...facts }
}

/** A field that is on or off; off by default. */
export function yesOrNo<const F extends FieldFacts<boolean>> (facts: F) {
  return field(Type.Boolean(), { default: false, ...facts })
}

/** A field that can be `null`, which is the default. */
export function optional<S extends TSchema, const F extends FieldFacts<Static<S> | null>> (schema: S, facts: F) {
  return field(nullable(schema), { default: null, ...facts })
}

/** A list in which each text appears once; empty by default. */
export function list<const F extends FieldFacts<string[]>> (facts: F) {
  return field(DistinctStrings, { default: [], ...facts })
}

/** Named as in its error: "Expected kind 'list of distinct strings'". TypeBox hashes array elements itself, 1,000 times slower. */
const DISTINCT = 'list of distinct strings'
TypeRegistry.Set(DISTINCT, (_, value) =>
  Array.isArray(value) && value.every(it => typeof it === 'string') && new Set(value).size === value.length)
const DistinctStrings = Type.Unsafe<string[]>({ [Kind]: DISTINCT, uniqueItems: true, type: 'array', items: { type: 'string' } })

/** A field of the clients file that is stored in another form. */
export function written<S extends TSchema, const F extends FieldFacts<Static<S>>> (file: S, facts: F): { readonly file: S } & F {
  return { file, ...facts }
}

/** One of these texts. */
export function choice<const T extends string> (...values: readonly T[]) {
  return Type.Unsafe<T>(Type.Union(values.map(value => Type.Literal(value))))
}

/** A value, or `null`. */
export function nullable<S extends TSchema> (schema: S) {
  // As one list: a union of a union is harder to read in errors.
  return Type.Unsafe<Static<S> | null>(Type.Union([...schema.anyOf as TSchema[] | undefined ?? [schema], Type.Null()]))
}

/** Describes a field that is on or off, by its label: `Whether it runs on the user's device`. */
export function whether (label: string): string {
  return `Whether ${label.startsWith('Its ') ? '' : 'it '}${label.charAt(0).toLowerCase()}${label.slice(1)}`
}

/** The default of a field as text; `undefined`: it needs no description. */
export function usualText (
  { null: none, default: usual, file }: Pick<FieldFacts<unknown>, 'null' | 'default' | 'file'>
): string | undefined {
  const value = none ?? file?.default ?? usual
  return (Array.isArray(value) ? value.join(' ') : typeof value === 'string' && value) || undefined
}

/** The texts that a schema of {@link choice} allows; none for other schemas. */
export function choicesOf ({ anyOf = [] }: TSchema): string[] {
  // as: the members of a union are schemas, and only literals have a value.
  return (anyOf as Array<{ const?: string }>).flatMap(it => it.const ?? [])
}
