import widthOf from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import { styleText } from 'node:util'
import { showable } from '../showable.js'

/** The output of a table. */
interface Screen {
  /** Its width, in characters. */
  readonly columns: number
  /** Whether to wrap wide values. Otherwise they stay in one piece, for programs that read them. */
  readonly wraps: boolean
}

/** Width if the output is not a terminal. */
const DEFAULT_COLUMNS = 80

/** Minimum width of a column with wrapped values. */
const MIN_COLUMNS = 20

/** Space between columns. */
const GAP = '  '

/** Standard output: as wide as the terminal; 80 columns without wrapped values if it is a file or a pipe. */
export function standardOutput (): Screen {
  return { columns: process.stdout.columns || DEFAULT_COLUMNS, wraps: process.stdout.isTTY }
}

/** Formats labels and values in aligned columns. Escapes control characters. */
export function table (rows: ReadonlyArray<readonly string[]>, screen = standardOutput()): string {
  const width = Math.max(...rows.map(([label = '']) => widthOf(label)))
  return rows.flatMap(([label = '', value = '']) => wrap(showable(value), screen, width + GAP.length)
    .map((line, index) => `${bold(pad(index === 0 ? label : '', width))}${GAP}${line}`.trimEnd())).join('\n')
}

/** Formats rows in aligned columns; those that do not fit continue on indented lines. Escapes control characters. */
export function list (head: readonly string[], rows: ReadonlyArray<readonly string[]>, screen = standardOutput()): string {
  const shown = [head, ...rows.map(row => row.map(showable))]
  const widths = head.map((_, column) => Math.max(...shown.map(row => widthOf(row[column] ?? ''))))
  const groups = groupColumns(widths, screen)
  return shown.flatMap((row, at) => groups.flatMap(({ from, to }, group) => {
    const indent = group === 0 ? '' : GAP
    // A column that is too wide has a line of its own.
    const lines = to - from === 1
      ? wrap(row[from] ?? '', screen, indent.length)
      : [row.slice(from, to).map((cell, index) => pad(cell, widths[from + index]!)).join(GAP)]
    return lines.map(line => (indent + line).trimEnd()).map(line => at === 0 ? bold(line) : line)
  })).join('\n')
}

/** The columns on each line of a row. */
function groupColumns (widths: readonly number[], { columns }: Screen): Array<{ from: number, to: number }> {
  const groups = [{ from: 0, to: 1 }]
  let used = widths[0] ?? 0
  for (const [column, width] of [...widths.entries()].slice(1)) {
    const fits = used + GAP.length + width <= columns
    if (fits) groups.at(-1)!.to = column + 1
    else groups.push({ from: column, to: column + 1 })
    used = fits ? used + GAP.length + width : GAP.length + width
  }
  return groups
}

/** Splits a text into lines for the remaining columns. */
export function wrap (text: string, { columns, wraps }: Screen, used: number): string[] {
  return wraps ? wrapAnsi(text, Math.max(columns - used, MIN_COLUMNS), { hard: true }).split('\n') : [text]
}

/** Pads with spaces, by the width of the characters on a terminal. */
function pad (text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - widthOf(text), 0))
}

function bold (text: string): string {
  return styled('bold', text)
}

/** Formats a text with a color or weight, if standard output is a terminal and NO_COLOR is not set, or if FORCE_COLOR is set. */
export function styled (style: 'bold' | 'green' | 'yellow' | 'red' | 'gray', text: string): string {
  return styleText(style, text, { stream: process.stdout })
}
