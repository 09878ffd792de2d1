import type { Row } from '@frontdesk/service-kit/records/csv'
import type { Oversized } from '@frontdesk/service-kit/records/record'
import { meaningOfHeading } from './heading-names.js'

/** Maximum rows above the headings, such as a title and a date. */
const MAX_TITLE_ROWS = 10

type AnyRow = Row | Oversized

interface Headed { readonly first: AnyRow | undefined, readonly isSkipping: boolean, readonly rest: AsyncIterable<AnyRow> }

/**
 * Finds the row with the headings: the first one, or a later one with two known headings. Rows above it are skipped only if none has a
 * known heading, and all have fewer texts. If no headings are known, the first row with two texts: the others are titles.
 * @returns the row, `undefined` if there is none, and the rows below it
 */
export async function findHeadings (rows: AsyncGenerator<AnyRow>): Promise<Headed> {
  const read: AnyRow[] = []
  let found = -1
  while (found < 0 && read.length <= MAX_TITLE_ROWS) {
    const { value, done } = await rows.next()
    if (done === true) break
    read.push(value)
    const known = countKnown(value)
    if (known >= 2 && read.slice(0, -1).every(row => countTexts(row) < countTexts(value))) found = read.length - 1
    if (known > 0) break
  }
  const index = Math.max(0, found < 0 ? read.findIndex(row => countTexts(row) > 1) : found)
  return { first: read[index], isSkipping: index > 0, rest: chain(read.slice(index + 1), rows) }
}

async function * chain (read: readonly AnyRow[], rows: AsyncIterable<AnyRow>) {
  yield * read
  yield * rows
}

function countKnown (row: AnyRow): number {
  return 'limit' in row ? 0 : new Set(row.cells.flatMap(cell => meaningOfHeading(cell) ?? [])).size
}

/** A record that is too long has any number. */
function countTexts (row: AnyRow): number {
  return 'limit' in row ? Infinity : row.cells.filter(cell => cell.trim() !== '').length
}
