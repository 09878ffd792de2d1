import { Option, type Command } from 'commander'
import type { ListEdit } from '../admin/list-edit.js'

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
  return toEdit(add, remove)
}

/** The edit that values to add and to remove describe; `undefined`: there are none. */
export function toEdit (add: readonly string[] | undefined, remove: readonly string[] | undefined): ListEdit | undefined {
  return add === undefined && remove === undefined ? undefined : { add: add ?? [], remove: remove ?? [] }
}
