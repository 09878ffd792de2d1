import { Type, type SchemaOptions, type Static, type TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { describeMisspelled, findMisspelled } from './misspelled.js'

/** Requirements that a schema cannot express. */
export interface SettingsRules<Settings> {
  /** Checks of single settings, in addition to the schema. The setting's own `rule` is the error. */
  forms?: Partial<Record<keyof Settings, (text: string) => boolean>>
  relations?: ReadonlyArray<Relation<Settings>>
}

/** A requirement between settings. It is checked only if every setting in `names` is well-formed. */
export interface Relation<Settings> {
  names: ReadonlyArray<keyof Settings>
  /** Returns a sentence for the operator, without secrets; `null` if the requirement is met. */
  whyNot: (settings: Settings) => string | null
}

/** The settings are invalid. `sentences` has one for each mistake, `message` one on each line. */
export class ConfigError extends Error {
  readonly sentences: readonly string[]

  constructor (sentences: readonly string[]) {
    super(sentences.join('\n'))
    this.sentences = sentences
  }
}

/**
 * Reads settings from environment variables. An empty variable is not set; integers have only decimal digits.
 * @param schema an object whose properties are optional or have a default, each with a `rule` that completes "NAME must …"
 * @param files variables in files for this service, see `readEnvFiles`: misspelled ones are mistakes. Other variables may come
 *   from the platform, and are mistakes only if they resemble a required setting.
 * @throws ConfigError with every mistake
 */
export function readSettings<T extends TObject> (
  schema: T,
  env: NodeJS.ProcessEnv,
  { forms = {}, relations = [] }: SettingsRules<Static<T>> = {},
  files: ReadonlyMap<string, string> = new Map()
): Static<T> {
  // as: `Static` resolves its keys only once T is known.
  const checks = forms as Record<string, (text: string) => boolean>
  const settings: Record<string, unknown> = {}
  const wrong = new Set<PropertyKey>()
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = env[name] ?? ''
    const value = text === '' ? property.default : property.type === 'integer' ? parseInteger(text) : text
    if (value !== undefined) settings[name] = value
    if (text !== '' && (!Value.Check(property, value) || checks[name]?.(text) === false)) wrong.add(name)
  }
  // as: if settings are missing or malformed, this function throws.
  const checked = settings as Static<T>
  const sentences = Object.entries(schema.properties).filter(([name]) => wrong.has(name)).map(([name, { rule }]) => `${name} must ${rule}.`)
  const required = new Set<PropertyKey>()
  for (const { names, whyNot } of relations) {
    const sentence = names.some(name => wrong.has(name)) ? null : whyNot(checked)
    if (sentence === null) continue
    sentences.push(sentence)
    for (const name of names) if (!(name in settings)) required.add(name)
  }
  // Usually skipped, as the search would delay every start.
  const misspelled = files.size + required.size === 0 ? [] : findMisspelled(Object.keys(schema.properties), env, files)
  sentences.push(...misspelled.filter(({ setting, file }) => file !== undefined || required.has(setting)).map(describeMisspelled))
  if (sentences.length > 0) throw new ConfigError(sentences)
  return checked
}

interface TextOptions {
  readonly pattern?: string
  readonly default?: string
  /** What of it is a secret: all, or the password and the query of an address. */
  readonly secret?: 'all' | 'in address'
}

/** A text setting. @param rule completes "NAME must …" */
export function text (description: string, rule: string, { pattern = '', ...options }: TextOptions = {}) {
  return Type.String({ description, rule, pattern, ...options })
}

/** A setting with a list of values. The first one is the default, unless `fallback` is given; `null`: none. */
export function oneOf<const T extends string> (description: string, values: readonly T[], fallback: T | null | undefined = values[0]) {
  const rule = `be ${values.join(' or ')}`
  return Type.Union(values.map(value => Type.Literal(value)), { description, rule, ...fallback !== null && { default: fallback } })
}

/** An integer setting. @param unit as in "a whole number of seconds" */
export function integer (description: string, { unit, ...bounds }: { minimum: number, maximum: number, unit?: string, default?: number }) {
  const rule = `be a whole number ${unit === undefined ? '' : `of ${unit} `}from ${bounds.minimum} to ${bounds.maximum}`
  return Type.Integer({ description, rule, ...bounds } satisfies SchemaOptions)
}

/** Splits at commas and trims the entries; skips empty ones. */
export function parseList (list: string): string[] {
  return list.split(',').map(entry => entry.trim()).filter(entry => entry !== '')
}

/** Rejects `1e3`, `1.0` and spaces, which are numbers in JavaScript. */
function parseInteger (text: string): number {
  return /^\d+$/.test(text) ? Number(text) : NaN
}
