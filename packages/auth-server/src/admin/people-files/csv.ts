import { readRows, type Row } from '@frontdesk/service-kit/records/csv'
import { UnreadableFile, type Oversized } from '@frontdesk/service-kit/records/record'
import { quote } from '@frontdesk/service-kit/showable'
import { unescapeCell } from '@frontdesk/service-kit/spreadsheet-cell'
import { textAttributes, userFields, type TextAttribute } from '../../oauth/user-fields.js'
import { reason, type Reason } from '../../languages/reason.js'
import { oversized, type FileRecord, type PersonInFile } from './record.js'

/** Columns that are not text attributes. */
const OTHERS = ['username', 'id', 'emailVerified', 'passwordHash', 'roles', 'disabled'] as const

type Column = typeof OTHERS[number] | TextAttribute

// as: wider, so that any column can be looked up.
const isOther = (column: Column) => (OTHERS as readonly Column[]).includes(column)

/** The column of each heading, in the form of {@link normalize}: the field or, as apps call it, its claim. */
const headings = new Map<string, Column>([
  ...OTHERS.map(column => [normalize(column), column] as const),
  ...textAttributes.flatMap(name => [name, userFields[name].claim].map(heading => [normalize(heading), name] as const))
])

/** The names of columns, for messages. */
const KNOWN = [...OTHERS, ...textAttributes].map(column => column.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)).join(', ')

/** Maximum headings in an error. */
const MAX_NAMED = 20

const [YES, NO] = [new Set(['yes', 'true', '1']), new Set(['', 'no', 'false', '0'])]

/** Reads CSV whose first line names the columns, in any order. @throws UnreadableFile */
export async function * readCsv (body: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  let columns: ReadonlyArray<Column | undefined> | undefined
  let left: Reason[] = []
  for await (const row of readRows(body)) {
    if (columns === undefined) [columns, left] = readHeadings(row)
    else if ('limit' in row) yield oversized(row)
    else if (row.cells.length !== columns.length) {
      yield { line: row.line, fault: reason('record.cells', { expected: columns.length, found: row.cells.length }) }
    } else yield { line: row.line, ...readCells(columns, row.cells, left) }
  }
  if (columns !== undefined) return
  throw new UnreadableFile(1, `is missing: it names the columns, such as ${KNOWN}.`, { reason: 'no-headings', known: KNOWN })
}

function readHeadings (row: Row | Oversized): [columns: Array<Column | undefined>, left: Reason[]] {
  if ('limit' in row) throw UnreadableFile.oversized(row)
  const columns = row.cells.map(cell => headings.get(normalize(cell)))
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index)
  if (repeated !== undefined) {
    throw new UnreadableFile(row.line, `names a column more than once: ${repeated}.`, { reason: 'column-repeated', columns: repeated })
  }
  if (!columns.includes('username')) {
    const found = row.cells.slice(0, MAX_NAMED).map(cell => quote(cell)).join(', ')
    throw new UnreadableFile(row.line, `must name the column username. Found: ${found}. Known columns: ${KNOWN}.`, {
      reason: columns.length === 1 ? 'one-column' : 'columns-missing', columns: 'username', found, known: KNOWN
    })
  }
  const unknown = row.cells.filter((_, index) => columns[index] === undefined)
  return [columns, unknown.map(cell => reason('import.left.column', { column: quote(cell) }))]
}

function readCells (
  columns: ReadonlyArray<Column | undefined>, cells: readonly string[], left: readonly Reason[]
): PersonInFile | { fault: Reason } {
  const values = new Map(columns.flatMap((column, index) =>
    column === undefined ? [] : [[column, unescapeCell(cells[index] ?? '').trim()]]))
  const text = (column: Column) => values.get(column) || undefined
  const invalid = (['emailVerified', 'disabled'] as const).find(column => !isYesOrNo(values.get(column) ?? ''))
  if (invalid !== undefined) return { fault: reason('record.yes-no', { column: invalid }) }
  const isYes = (column: Column) => YES.has((values.get(column) ?? '').toLowerCase())
  return {
    person: {
      ...Object.fromEntries([...values.keys()].filter(it => !isOther(it)).map(column => [column, text(column)])),
      id: text('id'),
      username: text('username') ?? '',
      emailVerified: isYes('emailVerified'),
      roles: (values.get('roles') ?? '').split(' ').filter(role => role !== ''),
      passwordHash: text('passwordHash'),
      disabled: isYes('disabled')
    },
    left
  }
}

function isYesOrNo (cell: string): boolean {
  return YES.has(cell.toLowerCase()) || NO.has(cell.toLowerCase())
}

/** Ignores case, spaces, `_` and `-`. */
function normalize (heading: string): string {
  return heading.toLowerCase().replace(/[\s_-]/g, '')
}
