import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { workbookParts, zip, type Parts } from '@frontdesk/test-kit/workbook'
import { readWorkbook } from '../../src/records/xlsx/workbook.js'

/** It measures the memory of its process. */
export const needsOwnProcess = true

const MB = 1_024 ** 2

setFlagsFromString('--expose-gc')
// as: the flag adds it.
const collectGarbage = runInNewContext('gc') as () => void

function memoryInUse (): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Reads a workbook in parts, and measures the memory that it needs beside its own bytes. */
async function read (bytes: Buffer) {
  const before = memoryInUse()
  const found = { rows: [] as unknown[], refusal: '', held: 0 }
  async function * body () {
    for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
  }
  try {
    for await (const row of readWorkbook(body(), undefined, () => {})) found.rows.push('cells' in row ? row.cells.slice(0, 3) : row)
  } catch (error) {
    // as: only errors are thrown.
    found.refusal = (error as Error).message
  }
  found.held = memoryInUse() - before
  return found
}

const ROW = '<row r="2"><c><v>1</v></c></row>'
const book = (rows: string, others: Parts = {}) => ({ ...workbookParts({ A: { rows } }), ...others })
const sheet = (text: string) => book('', { 'xl/worksheets/sheet1.xml': text })

t.test('markup that would read files, grow, or take memory is refused', async t => {
  const laughs = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join('')
  const cases: Array<[name: string, parts: Parts]> = [
    ['an external entity', sheet('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><row><c t="str"><v>&x;</v></c></row></a>')],
    ['an external document type', sheet('<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>')],
    ['a billion laughs', sheet(`<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a><row><c t="str"><v>&l9;</v></c></row></a>`)],
    ['an entity that is not declared', sheet('<a><row><c t="str"><v>&x;</v></c></row></a>')],
    ['a million levels', sheet('<a>'.repeat(1_000_000))],
    ['a million attributes', sheet(`<a ${Array.from({ length: 1_000_000 }, (_, index) => `b${index}=""`).join(' ')}/>`)],
    ['an attribute of 10 MB', sheet(`<a b="${'x'.repeat(10 * MB)}"/>`)],
    ['a name of 10 MB', sheet(`<${'x'.repeat(10 * MB)}/>`)],
    ['a document type of 10 MB', sheet(`<!DOCTYPE ${'x'.repeat(10 * MB)}`)],
    ['bytes that are not UTF-8', { ...sheet(''), 'xl/worksheets/sheet1.xml': Buffer.from([0x3c, 0x61, 0x3e, 0xff]) }]
  ]
  for (const [name, parts] of cases) {
    const { refusal, held } = await read(await zip(parts, false))
    t.match(refusal, /^The workbook is damaged or incomplete/, name)
    t.ok(held < 10 * MB, `${name}: ${held} bytes are held`)
  }
})

t.test('a row that is too wide or too long is an error of its line, and the rest is read', async t => {
  const cells = (count: number) => '<c><v>1</v></c>'.repeat(count)
  t.match(await read(await zip(book(`<row r="1">${cells(2 ** 20)}</row>${ROW}`), false)), { rows: [{ line: 1, limit: 'cells' }, ['1']], refusal: '' })
  t.match(await read(await zip(book(`<row r="1"><c t="str"><v>${'x'.repeat(20 * MB)}</v></c></row>${ROW}`), false)), { rows: [{ line: 1, limit: 'bytes' }, ['1']] })
  t.match(await read(await zip(book(`<row r="1"><c r="XFD1"><v>1</v></c><c r="AAA1" s="1"/></row>${ROW}`))), { rows: [{ line: 1, limit: 'cells' }, ['1']] })
  t.match(await read(await zip(book('<row r="1e999"><c r="XFD1"><v>1</v></c></row>'))), { rows: [{ line: 1, limit: 'cells' }] })
  t.match(await read(await zip(book(`<row r="1048577"><c r="ZZZZ1"><v>1</v></c></row><row r="x">${cells(1)}</row>`))), { rows: [['1'], ['1']] })
})

t.test('texts of a workbook take 64 MB at most', async t => {
  const few = await read(await zip(book('<row><c t="s"><v>99</v></c><c t="s"><v>-1</v></c><c t="s"><v>1e9</v></c><c><v>1</v></c></row>', {
    'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(100)}</sst>`
  })))
  t.match(few, { rows: [['a', '', '']] }, 'a text that does not exist is empty')
  const text = '<si/>'.repeat(17_000_000)
  const { refusal, held } = await read(await zip(book(ROW, { 'xl/sharedStrings.xml': Buffer.from(`<sst>${text}`) }), false))
  t.match(refusal, /^The workbook has more than 64 MB of texts\. Save its table as CSV/)
  t.ok(held < 10 * MB, `${held} bytes are held afterwards`)
})

t.test('a bomb is refused by its size, even if it lies about it', async t => {
  const bomb = await zip(sheet(' '.repeat(20 * MB)))
  t.match(await read(bomb), { refusal: /^The file grows more than 100 times/ })
  // The size that the directory at the end declares: the real one is replaced.
  const lie = Buffer.from(bomb)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(20 * MB)
  for (let at = lie.indexOf(size); at >= 0; at = lie.indexOf(size, at + 1)) lie.writeUInt32LE(1_000, at)
  t.match(await read(lie), { refusal: /^The workbook is damaged or incomplete/ })
  t.match(await read(await zip({ 'a.zip': await zip({ 'a.zip': bomb }) })), { refusal: /^This is a ZIP file/ }, 'an archive in an archive is not opened')
  t.match(await read(await zip(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`xl/${index}.xml`, ''])))), { refusal: /^The workbook is damaged/ }, 'too many parts')
})

t.test('a workbook of more than 100 MB is refused while it comes', async t => {
  let sent = 0
  async function * body () {
    for (;;) {
      sent += MB
      yield Buffer.alloc(MB)
    }
  }
  await t.rejects(readWorkbook(body(), undefined, () => {}).next(), { message: /^The workbook has more than 100 MB/ })
  t.ok(sent <= 102 * MB)
})
