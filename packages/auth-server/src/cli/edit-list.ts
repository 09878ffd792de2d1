import { Option, type Command } from 'commander'
import { CommandError } from './command-error.js'
import { didYouMean } from './nearest.js'
import { quote } from './text.js'

/** Values to add to a list, and values to remove from it. */
export interface ListEdit {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Options of a command that edit a list, value by value. */
export interface EditableList {
  /** The option that replaces the list, in camelCase, such as `callback`. */
  readonly option: string
  /** What the options `--add-…` and `--remove-…` are called, in kebab-case, such as `callback`. */
  readonly flag: string
  /** Placeholder of the value, such as `<uri>`. */
  readonly value: string
  /** A value, as in "This app has no callback …". */
  readonly noun: string
}

/** Adds `--add-<flag>` and `--remove-<flag>`, which cannot be used with the option that replaces the list. */
export function takeListEdit (command: Command, { option, flag, value, noun }: EditableList): Command {
  for (const [verb, text] of [['add', `add a ${noun}`], ['remove', `remove a ${noun}`]] as const) {
    command.addOption(new Option(`--${verb}-${flag} ${value}`, `${text}; repeatable`).argParser(collect).conflicts(option))
  }
  return command
}

/** Collects the values of a repeatable option. */
export function collect (value: string, before: readonly string[] | boolean = []): string[] {
  return [...typeof before === 'boolean' ? [] : before, value]
}

/** The edit that the options of {@link takeListEdit} describe; `undefined`: none of them is used. */
export function editOf (options: object, { flag }: EditableList): ListEdit | undefined {
  const name = flag.split('-').map(part => part.charAt(0).toUpperCase() + part.slice(1)).join('')
  // as: commander calls the values so, and collects them in arrays.
  const { [`add${name}`]: add, [`remove${name}`]: remove } = options as Record<string, string[] | undefined>
  return add === undefined && remove === undefined ? undefined : { add: add ?? [], remove: remove ?? [] }
}

/** The list after an edit. A value that it already has is added without effect. @throws CommandError if it lacks a value to remove */
export function edited (before: readonly string[], { add, remove }: ListEdit, { noun }: EditableList): string[] {
  const missing = remove.find(value => !before.includes(value))
  if (missing !== undefined) throw new CommandError(`There is no ${noun} ${quote(missing)} to remove.${didYouMean(missing, before)}`)
  return [...new Set([...before.filter(value => !remove.includes(value)), ...add])]
}
