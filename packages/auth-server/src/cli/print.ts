import { Option } from 'commander'

/** What every command can be asked for. */
export interface PrintOptions { readonly json?: true }

/** `--json`, with what it prints. */
export function jsonOption (what: string): Option {
  return new Option('--json', `print ${what} as JSON`)
}

/** Prints the value as JSON if that was asked for, else the text. */
export function print ({ json }: PrintOptions, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`)
}

/**
 * A plain table with aligned columns. The last one is not padded: it may hold text of any width.
 * All others must be ASCII, a column of the terminal each character.
 */
export function table (rows: ReadonlyArray<readonly string[]>): string {
  const width = (column: number) => Math.max(...rows.map(row => row[column]?.length ?? 0))
  return rows.map(row => row
    .map((cell, column) => column === row.length - 1 ? cell : cell.padEnd(width(column)))
    .join('  ')).join('\n')
}

/** Whether an account can be used, for people to read. */
export function stateOf ({ demo, disabledAt }: { demo: boolean, disabledAt: Date | null }): string {
  return (disabledAt === null ? 'enabled' : 'disabled') + (demo ? ' (demo)' : '')
}
