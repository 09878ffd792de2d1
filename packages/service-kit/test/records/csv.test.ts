import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import t from 'tap'
import { readRows } from '../../src/records/csv.js'

async function * bodyOf (text: string, size = text.length) {
  for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size))
}

/** The delimiter that was found, and the cells of each row, or `undefined` if the file cannot be read. */
async function read (text: string, size?: number) {
  let delimiter = ''
  try {
    const rows = []
    for await (const row of readRows(bodyOf(text, size), found => { delimiter = found })) rows.push('cells' in row ? row.cells : row.limit)
    return { delimiter, rows }
  } catch {
    return { delimiter, rows: undefined }
  }
}

function readByLibrary (text: string, delimiter: string): string[][] | undefined {
  try {
    // as: without columns, rows are arrays of strings.
    return parse(text, { delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }) as string[][]
  } catch {
    return undefined
  }
}

t.test('CSV is read as csv-parse reads it, however it is cut, without the empty lines', async t => {
  const file = fc.array(fc.constantFrom('a', 'é', ' ', '"', '""', ',', ';', '\n', '\r', '\r\n', '"x,\n', 'b"\n'), { maxLength: 40 })
  await fc.assert(fc.asyncProperty(file, fc.integer({ min: 1, max: 5 }), async (parts, size) => {
    const text = `a,b,c\n${parts.join('')}`
    // Below a line without them, semicolons can decide: the first line is a title then.
    const { delimiter, rows } = await read(text, size)
    t.match(delimiter, /^[,;]$/)
    const expected = readByLibrary(text, delimiter)?.filter(cells => cells.some(cell => cell.trim() !== ''))
    t.strictSame(rows, expected)
  }), { numRuns: 500 })
})

t.test('rows of different lengths and empty lines do not cost an error each', async t => {
  const capture = t.capture(Error, 'captureStackTrace', Error.captureStackTrace)
  const rows = []
  for await (const row of readRows(bodyOf('a,b\n' + 'x\n\n'.repeat(100) + '1,2,3'))) rows.push(row)
  t.equal(rows.length, 102)
  t.same(rows.at(-1), { line: 202, cells: ['1', '2', '3'] })
  t.equal(capture().length, 0)
})
