import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import t from 'tap'
import { workbookParts, zip, type Parts } from '@frontdesk/test-kit/workbook'
import { readWorkbook } from '../../src/records/xlsx/workbook.js'

/** The rows of a workbook with their lines, or why it cannot be read. */
async function read (bytes: Buffer, sheet?: string) {
  const found = { sheet: '', sheets: [] as string[], rows: [] as unknown[], refusal: '' }
  async function * body () {
    for (let start = 0; start < bytes.length; start += 1_000) yield bytes.subarray(start, start + 1_000)
    // Not even while it is read: after `kill -9`, nothing is left.
    t.same((await readdir(tmpdir())).filter(name => /^frontdesk-[0-9a-f-]{36}$/.test(name)), [], 'the temporary file has no name')
  }
  try {
    for await (const row of readWorkbook(body(), sheet, (sheet, sheets) => Object.assign(found, { sheet, sheets }))) {
      found.rows.push('cells' in row ? [row.line, ...row.cells] : row)
    }
  } catch (error) {
    // as: only errors are thrown.
    found.refusal = (error as Error).message
  }
  return found
}

t.test('cells are read as they are shown: texts, numbers, dates, and the values of formulas', async t => {
  const strings = '<si><t>Number</t></si><si><r><t xml:space="preserve">Ada </t></r><r><t>Löve &amp; Co_x000D_</t></r></si><si><t>山田</t><rPh><t>ヤマダ</t></rPh></si>'
  const numFmts = '<numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="dd&quot;.&quot;mm&quot;.&quot;yyyy"/>' +
    '<numFmt numFmtId="166" formatCode="[Red]#,##0&quot; yd&quot;"/><numFmt numFmtId="167" formatCode="[h]:mm"/>'
  const xfs = [0, 164, 14, 165, 1, 166, 22, 167].map(id => `<xf numFmtId="${id}"/>`).join('')
  const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Name</t></is></c><c r="F1" t="str"><f>1</f><v>x</v></c></row>' +
    '<row r="2" spans="1:6"/><row r="3"><c r="A3" s="1"/></row>' +
    '<row r="4"><c r="A4"><v>33</v></c><c r="B4" t="s"><v>1</v></c><c r="C4" t="s"><v>2</v></c><c r="D4" t="b"><v>1</v></c><c r="E4" t="e"><v>#N/A</v></c></row>' +
    '<row r="9"><c r="A9" s="1"><v>123</v></c><c r="B9" s="2"><v>46355</v></c><c r="C9" s="3"><v>46355.75</v></c><c r="D9" s="4"><v>32.6</v></c><c r="E9" s="5"><v>-1234</v></c></row>' +
    '<row><c><v>1E3</v></c><c><v>32.999999999999996</v></c><c s="6"><v>0.5</v></c><c s="7"><v>1.5</v></c><c t="d"><v>2026-11-29</v></c><c><f>SUM(A1)</f><v>7</v></c></row>'
  const sheets = { Cover: { rows: '', state: 'hidden' as const }, 'Kunden 2026': { rows }, Other: { rows: '<row r="5"><c r="B5"><v>1</v></c></row>' } }
  const book = await zip(workbookParts(sheets, { strings, numFmts, xfs }))
  t.same(await read(book), {
    sheet: 'Kunden 2026',
    sheets: ['Kunden 2026', 'Other'],
    rows: [
      [1, 'Number', 'Name', '', '', '', 'x'],
      [4, '33', 'Ada Löve & Co\r', '山田', 'TRUE', '#N/A', ''],
      [9, '00123', '2026-11-29', '2026-11-29 18:00:00', '33', '-1234', ''],
      [10, '1000', '33', '12:00:00', '1900-01-01 12:00:00', '2026-11-29', '7']
    ],
    refusal: ''
  })
  t.match(await read(book, 'other'), { sheet: 'Other', rows: [[5, '', '1']] })
  t.match(await read(book, 'Cover'), { refusal: 'The workbook has no visible sheet of this name. It has: Kunden 2026, Other.' })
  const old = await zip(workbookParts({ A: { rows: '<row><c s="2"><v>0</v></c><c s="2"><v>44893</v></c></row>' } }, { xfs, calendar: ' date1904="1"' }))
  t.match(await read(old), { rows: [[1, '00:00:00', '2026-11-29']] })
})

t.test('what is no workbook is refused with what it is, and what to do', async t => {
  const book = await zip(workbookParts({ A: { rows: '<row><c><v>1</v></c></row>' } }))
  const cases: Array<[file: Buffer | Parts, refusal: RegExp]> = [
    [{ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '', 'META-INF/manifest.xml': '' }, /^This is an OpenDocument file \(\.ods\)\. Open it in LibreOffice, save it as \.xlsx/],
    [{ 'Index/Document.iwa': '' }, /^This is a table of Numbers\. Open it, choose File > Export To > Excel/],
    [{ 'xl/workbook.bin': '' }, /^This is a binary workbook \(\.xlsb\)/],
    [{ 'word/document.xml': '' }, /^This is a document of Word/],
    [{ 'customers.csv': 'a,b' }, /^This is a ZIP file\. Unpack it, and import customers\.csv\.$/],
    [{ 'a.zip': '' }, /^This is a ZIP file\. Unpack it, and import the CSV or xlsx file/],
    [book.subarray(0, book.length - 30), /^The workbook is damaged or incomplete/],
    [book.subarray(0, 100), /^The workbook is damaged or incomplete/],
    [workbookParts({ A: { rows: '', state: 'hidden' } }), /^The workbook has no visible sheet with cells/]
  ]
  for (const [file, refusal] of cases) {
    t.match(await read(Buffer.isBuffer(file) ? file : await zip(file)), { refusal, rows: [] }, String(refusal))
  }
})
