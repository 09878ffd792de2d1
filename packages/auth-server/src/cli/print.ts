import { Option } from 'commander'

/** The options of every command. */
export interface PrintOptions { readonly json?: true }

/** The option `--json`. @param what it prints */
export function jsonOption (what: string): Option {
  return new Option('--json', `print ${what} as JSON`)
}

/** Prints the value as JSON with --json, else the text. */
export function print ({ json }: PrintOptions, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`)
}

/** The state of an account, as text. */
export function stateOf ({ demo, disabledAt }: { demo: boolean, disabledAt: Date | null }): string {
  return (disabledAt === null ? 'enabled' : 'disabled') + (demo ? ' (demo)' : '')
}

/** Formats a time in UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
