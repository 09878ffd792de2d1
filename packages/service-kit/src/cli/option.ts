import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from './errors.js'

/** An option of a command; a text is its description. */
export type OptionSpec = string | {
  readonly says: string
  readonly required?: true
  /** Its values become an array. */
  readonly repeatable?: true
  readonly choices?: readonly string[]
  /** @throws UsageError with a sentence that says which values are valid */
  readonly parse?: (text: string) => unknown
  readonly default?: unknown
  /** Environment variable with the default value. */
  readonly env?: string
  /** An option that cannot be used together with this one, in camelCase. */
  readonly conflicts?: string
}

/** The options of a command by their flags, as in `--limit <rows>`. */
export type Options = Readonly<Record<string, OptionSpec>>

/** The values of a command's arguments and options, by their names in camelCase. */
export type Input<Usage extends string, Table extends Options> = Arguments<Usage> & OptionValues<Table> & { readonly json?: true }

/** `--yes`, for {@link confirm}. */
export const YES = { '--yes': 'skip the confirmation; required without a terminal' } as const

/** Reads a whole number from a minimum to a maximum. */
export function wholeNumber (maximum: number, minimum = 1): (text: string) => number {
  return text => {
    const number = /^\d{1,7}$/.test(text) ? Number(text) : NaN
    if (number >= minimum && number <= maximum) return number
    throw new UsageError(`Give a whole number from ${minimum} to ${maximum}.`)
  }
}

/** The option for commander. */
export function createOption (flags: string, spec: OptionSpec): Option {
  if (typeof spec === 'string') return new Option(flags, spec)
  const { says, required, repeatable, choices, parse, env, conflicts } = spec
  const option = new Option(flags, says).makeOptionMandatory(required === true)
  if (choices !== undefined) option.choices(choices)
  // Instead of the check that `choices` adds.
  if (parse !== undefined) option.argParser(text => parsed(parse, text))
  if (repeatable) {
    option.argParser((value: string, before: readonly string[] | boolean = []) =>
      [...typeof before === 'boolean' ? [] : before, value])
  }
  if ('default' in spec) option.default(spec.default)
  if (env !== undefined) option.env(env)
  if (conflicts !== undefined) option.conflicts(conflicts)
  return option
}

/** Parses the value of an option. @throws the error that commander prints with the option's name */
function parsed (parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error
  }
}

type Arguments<Usage extends string> =
  Usage extends `${string}<${infer Name}>${infer Rest}` ? { readonly [Key in Camel<Name, '_'>]: string } & Arguments<Rest>
    : Usage extends `${string}[${infer Name}]${infer Rest}` ? { readonly [Key in Camel<Name, '_'>]?: string } & Arguments<Rest>
      : unknown

type OptionValues<Table extends Options> =
  { readonly [Flags in keyof Table as Table[Flags] extends Certain ? NameOf<Flags> : never]: ValueOf<Flags, Table[Flags]> } &
  { readonly [Flags in keyof Table as Table[Flags] extends Certain ? never : NameOf<Flags>]?: ValueOf<Flags, Table[Flags]> }

/** An option that always has a value. */
type Certain = { readonly required: true } | { readonly default: unknown }

type NameOf<Flags> = Flags extends `${string}--no-${infer Rest}` ? Camel<FirstWord<Rest>, '-'>
  : Flags extends `${string}--${infer Rest}` ? Camel<FirstWord<Rest>, '-'> : never

/** `--x` and `--no-x` set the same value. */
type ValueOf<Flags, Spec> = Spec extends { readonly repeatable: true } ? readonly string[]
  : Spec extends { readonly parse: (text: string) => infer Value } ? Value | Bare<Flags>
    : Spec extends { readonly choices: ReadonlyArray<infer Choice> } ? Choice | Bare<Flags>
      : Flags extends `${string}<${string}` | `${string}[${string}` ? string | Bare<Flags>
        : Flags extends `${string}--no-${string}` ? false : true

/** The value of an option that is given without its optional value. */
type Bare<Flags> = Flags extends `${string}[${string}` ? true : never

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text

type Camel<Text extends string, Separator extends string> =
  Text extends `${infer Head}${Separator}${infer Tail}` ? `${Head}${Capitalize<Camel<Tail, Separator>>}` : Text
