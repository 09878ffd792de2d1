import t from 'tap'
import { gzipSync } from 'node:zlib'
import { readByKind } from '../../src/records/by-kind.js'
import { readText } from '../../src/records/charset.js'
import { readRows } from '../../src/records/csv.js'
import { UnreadableFile } from '../../src/records/record.js'

async function * cut (bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

/** The rows of a file, its charset and its delimiter, or why it cannot be read. */
async function read (bytes: Buffer, { size = 7, charset, isPacked = false }: { size?: number, charset?: string, isPacked?: boolean } = {}) {
  const found = { charset: '', delimiter: '', rows: [] as Array<readonly string[]>, refusal: '', fault: {} }
  const rows = readByKind(cut(bytes, size), isPacked, {
    text: (body, head) => readRows(
      readText(body, head, charset, charset => { found.charset = charset }), delimiter => { found.delimiter = delimiter }
    ),
    zip: async function * () {}
  })
  try {
    for await (const row of rows) if ('cells' in row) found.rows.push(row.cells)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    Object.assign(found, { refusal: error.message, fault: error.fault })
  }
  return found
}

const TEXT = 'Nr;Name\r\n1;Jürgen Weiß\r\n'
const ROWS = [['Nr', 'Name'], ['1', 'Jürgen Weiß']]
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

t.test('a text is read in the charset that it has, however it is cut', async t => {
  const cases: Array<[bytes: Buffer, charset: string]> = [
    [Buffer.from(TEXT), 'utf-8'],
    [Buffer.from(`\ufeff${TEXT}`), 'utf-8'],
    [Buffer.from(TEXT, 'latin1'), 'windows-1252'],
    [utf16(`\ufeff${TEXT}`), 'utf-16le'],
    [utf16(TEXT), 'utf-16le'],
    [utf16(`\ufeff${TEXT}`).swap16(), 'utf-16be'],
    [utf16(TEXT).swap16(), 'utf-16be']
  ]
  for (const [bytes, charset] of cases) {
    for (const size of [1, 2, 3, 1_000]) t.match(await read(bytes, { size }), { charset, delimiter: ';', rows: ROWS }, `${charset}, ${size} bytes at a time`)
    t.match(await read(gzipSync(bytes)), { charset, rows: ROWS }, `${charset}, gzip by its bytes`)
    t.match(await read(gzipSync(bytes), { isPacked: true }), { charset, rows: ROWS }, `${charset}, gzip by its header`)
  }
  const euro = Buffer.concat([Buffer.from(`a,b\n${'1,2\n'.repeat(5_000)}`), Buffer.from([0x80, 0x2c, 0x93, 0x61, 0x94])])
  t.same((await read(euro)).rows.at(-1), ['€', '“a”'], 'windows-1252 has them from 0x80 to 0x9f')
})

t.test('the charset that the sender names wins, and what it does not fit is refused with its line', async t => {
  t.match(await read(Buffer.from([0x8c, 0xb0, 0x2c, 0x31, 0x0a]), { charset: 'shift_jis' }), { charset: 'shift_jis', rows: [['顕', '1']] })
  t.match(await read(Buffer.from('a,é\n'), { charset: 'iso-8859-1' }), { charset: 'windows-1252', rows: [['a', 'Ã©']] })
  t.match(await read(Buffer.from(TEXT, 'latin1'), { charset: 'utf-8' }), { refusal: 'Line 2 is not UTF-8. Save the file in UTF-8.' })
  t.match(await read(Buffer.concat([Buffer.from('a,é\n1,'), Buffer.from([0xe9, 0x0a])])), { refusal: 'Line 2 is not UTF-8. Save the file in UTF-8.' })
  t.match(await read(utf16('a,b\n\ud800,c\n').subarray(0, 14), { charset: 'utf-16le' }), { refusal: /^Line 2 is not utf-16le/ })
})

t.test('the delimiter is the one of several lines', async t => {
  const cases: Array<[text: string, delimiter: string, row: string[]]> = [
    ['a,b\n1,2\n', ',', ['a', 'b']],
    ['a\tb\n', '\t', ['a', 'b']],
    ['a|b|c\n1|2;3|4\n', '|', ['a', 'b', 'c']],
    ['Name, first;Age;City, country, planet\nx;1;y\nz;2;w\n', ';', ['Name, first', 'Age', 'City, country, planet']],
    ['"a;b;c;d",e\n1,2\n', ',', ['a;b;c;d', 'e']],
    ['sep=;\na,b;c\n', ';', ['a,b', 'c']],
    ['\ufeff"sep=|"\r\na,b|c\r\n', '|', ['a,b', 'c']],
    ['sep=\t\na,b\tc\n', '\t', ['a,b', 'c']],
    ['only\nsome\n', ',', ['only']]
  ]
  for (const [text, delimiter, row] of cases) t.match(await read(Buffer.from(text)), { delimiter, rows: [row] }, text)
})

t.test('what is no table is refused with what it is, and what to do', async t => {
  const cases: Array<[bytes: string | Buffer, refusal: RegExp]> = [
    ['%PDF-1.7\n', /^This is a PDF\. .*Save the table as CSV or xlsx/],
    [Buffer.from('d0cf11e0a1b11ae10000', 'hex'), /^This is a workbook of an old Excel \(\.xls\), or one with a password\. .*save it as \.xlsx/],
    [Buffer.from('89504e470d0a1a0a', 'hex'), /^This is an image/],
    [Buffer.from('ffd8ffe000104a464946', 'hex'), /^This is an image/],
    [Buffer.from('000000186674797068656963', 'hex'), /^This is an image/],
    [Buffer.from('526172211a0701', 'hex'), /^This is an archive\. Unpack it/],
    ['SQLite format 3\0', /^This is a database/],
    ['{\\rtf1\\ansi', /^This is a text document/],
    ['\ufeff <HTML xmlns:x="urn:schemas-microsoft-com:office:excel">', /^This is a web page .* \.xls/],
    [utf16('\ufeff<table><tr>'), /^This is a web page/],
    ['<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>', /^This is an XML file/],
    ['BEGIN:VCARD\r\nVERSION:2.1\r\n', /^This is a vCard file .* export the contacts as CSV/],
    ['BEGIN:VCALENDAR\r\n', /^This is a calendar/],
    [gzipSync(gzipSync('a,b')), /^The file is compressed twice/],
    [gzipSync('a,b\n1,2\n').subarray(0, 20), /^The compressed file is damaged or incomplete/],
    [gzipSync(Buffer.alloc(20 * 1_024 ** 2)), /^The file grows more than 100 times when it is decompressed/]
  ]
  for (const [bytes, refusal] of cases) t.match(await read(Buffer.from(bytes), { size: 4_096 }), { refusal }, String(refusal))
  t.match(await read(Buffer.from('a,b\n'), { isPacked: true }), { refusal: /damaged/ })
  t.same((await read(Buffer.from('%PDF-1.7\n'))).fault, { reason: 'kind', format: 'PDF' }, 'for other languages')
})
