import { Option } from 'commander'
import { styleText } from 'node:util'

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

/** Assumed width of a terminal, in characters. */
const COLUMNS = 80

/**
 * Labels and values in aligned columns. The last column is not padded: it may hold text of any width.
 * All others must be ASCII, so that each character is one column of the terminal.
 */
export function table (rows: ReadonlyArray<readonly string[]>): string {
  return align(rows).map(row => line(row.map((cell, index) => index === 0 ? bold(cell) : cell))).join('\n')
}

/**
 * Rows below a head, in aligned columns as in {@link table}. Columns that do not fit into {@link COLUMNS} characters
 * move to indented lines below.
 */
export function list (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const aligned = align([head, ...rows])
  const groups = groupsOf(aligned)
  return aligned.flatMap((row, at) => groups.map(({ from, to }, group) => {
    const text = `${group === 0 ? '' : '  '}${line(row.slice(from, to))}`.trimEnd()
    return at === 0 ? bold(text) : text
  })).join('\n')
}

function align (rows: ReadonlyArray<readonly string[]>): string[][] {
  const width = (column: number) => Math.max(...rows.map(row => row[column]?.length ?? 0))
  return rows.map(row => row.map((cell, column) => column === row.length - 1 ? cell : cell.padEnd(width(column))))
}

/** The columns on each line of a row. */
function groupsOf (rows: readonly string[][]): Array<{ from: number, to: number }> {
  const groups = [{ from: 0, to: 1 }]
  let used = rows[0]?.[0]?.length ?? 0
  for (let column = 1; column < (rows[0]?.length ?? 0); column++) {
    const width = Math.max(...rows.map(row => row[column]?.length ?? 0))
    if (used + 2 + width <= COLUMNS) groups.at(-1)!.to = column + 1
    else groups.push({ from: column, to: column + 1 })
    used = groups.at(-1)!.from === column ? 2 + width : used + 2 + width
  }
  return groups
}

function line (cells: readonly string[]): string {
  return cells.join('  ')
}

function bold (text: string): string {
  return styled('bold', text)
}

/** A text in a colour or weight, if standard output is a terminal and NO_COLOR is not set, or FORCE_COLOR is. */
export function styled (style: 'bold' | 'green' | 'yellow' | 'red', text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** The state of an account, as text. */
export function stateOf ({ demo, disabledAt }: { demo: boolean, disabledAt: Date | null }): string {
  return (disabledAt === null ? 'enabled' : 'disabled') + (demo ? ' (demo)' : '')
}

/** Formats a time in UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
