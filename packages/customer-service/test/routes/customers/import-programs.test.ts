import { gzipSync } from 'node:zlib'
import { workbookParts, zip } from '@frontdesk/test-kit/workbook'
import t from 'tap'
import { PATH, build } from '../../support/helper.js'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** What a program writes, and how it is imported. */
interface Export {
  readonly name: string
  readonly bytes: Buffer
  readonly type?: string
  readonly map?: readonly string[]
  readonly query?: string
  /** Customers 1 and 2, if they have other values than usual. */
  readonly customers?: object[]
  readonly file?: object
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const usual = [
  { customername: 'Jürgen Weiß', customerage: 33, customeraddress: 'Bahnhofstraße 5, Köln' },
  { customername: 'Zoë', customerage: 41, customeraddress: '007' }
]

const sheet = (numbers: string) => `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c></row>
  <row r="2"><c r="A2"${numbers}><v>1</v></c><c r="B2" t="s"><v>4</v></c><c r="C2"><f>30+3</f><v>33</v></c><c r="D2" t="s"><v>5</v></c></row>
  <row r="3"><c r="A3"${numbers}><v>2</v></c><c r="B3" t="s"><v>6</v></c><c r="C3"><v>41</v></c><c r="D3" t="s"><v>7</v></c></row>`
const strings = ['Kundennummer', 'Name', 'Alter', 'Anschrift', 'Jürgen Weiß', 'Bahnhofstraße 5, Köln', 'Zoë', '007'].map(it => `<si><t>${it}</t></si>`).join('')
const inline = (...cells: string[]) => `<row>${cells.map(cell => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`

const exports: Export[] = [
  { name: 'Excel, German, CSV', bytes: latin1('Nummer;Name;Alter;Adresse\r\n1;Jürgen Weiß;33;Bahnhofstraße 5, Köln\r\n2;Zoë;41;007\r\n'), file: { charset: 'windows-1252', delimiter: ';' } },
  { name: 'Excel, French, CSV', bytes: latin1('N° client;Nom;Âge;Adresse\r\n1;Jürgen Weiß;33,00;Bahnhofstraße 5, Köln\r\n2;Zoë;41,00;007\r\n'), file: { charset: 'windows-1252' } },
  { name: 'Excel, English, CSV UTF-8', bytes: Buffer.from('\ufeffNumber,Name,Age,Address\r\n1,Jürgen Weiß,33,"Bahnhofstraße 5, Köln"\r\n2,Zoë,41,007\r\n'), file: { charset: 'utf-8', delimiter: ',' } },
  { name: 'Excel, Unicode Text', bytes: utf16('Number\tName\tAge\tAddress\r\n1\tJürgen Weiß\t33\t"Bahnhofstraße 5, Köln"\r\n2\tZoë\t41\t007\r\n'), file: { charset: 'utf-16le', delimiter: '\t' } },
  { name: 'Excel for Mac, CSV (Macintosh)', bytes: Buffer.concat([latin1('Number;Name;Age;Address\r1;J'), Buffer.from([0x9f]), latin1('rgen Wei'), Buffer.from([0xa7]), latin1(';33;Bahnhofstra'), Buffer.from([0xa7]), latin1('e 5, K'), Buffer.from([0x9a]), latin1('ln\r2;Zo'), Buffer.from([0x91]), latin1(';41;007\r')]), type: 'text/csv; charset=macintosh', file: { charset: 'macintosh' } },
  { name: 'Excel, workbook', bytes: await zip(workbookParts({ Kunden: { rows: sheet('') } }, { strings })), type: XLSX, file: { format: 'xlsx', sheet: 'Kunden' } },
  { name: 'LibreOffice, workbook with numbers like 00001, sent as CSV', bytes: await zip(workbookParts({ Tabelle1: { rows: sheet(' s="1"') } }, { strings, numFmts: '<numFmt numFmtId="164" formatCode="00000"/>', xfs: '<xf numFmtId="0"/><xf numFmtId="164"/>' })), file: { format: 'xlsx', sheet: 'Tabelle1' } },
  { name: 'a program library, workbook with the second sheet chosen', bytes: await zip(workbookParts({ Notes: { rows: '' }, Data: { rows: inline('id', 'full_name', 'age', 'address') + inline('1', 'Jürgen Weiß', '33', 'Bahnhofstraße 5, Köln') + inline('2', 'Zoë', '41', '007') } })), query: 'sheet=data', file: { sheet: 'Data' } },
  { name: 'LibreOffice, CSV', bytes: Buffer.from('Kundennr.,Name,Alter,Adresse\n1,Jürgen Weiß,33,"Bahnhofstraße 5, Köln"\n2,Zoë,41,007\n') },
  { name: 'Google Sheets, CSV', bytes: Buffer.from('ID,Full name,Age,Address\r\n1,Jürgen Weiß,33,"Bahnhofstraße 5, Köln"\r\n2,Zoë,41,007') },
  { name: 'Google Sheets, TSV, compressed', bytes: gzipSync('ID\tFull name\tAge\tAddress\r\n1\tJürgen Weiß\t33\tBahnhofstraße 5, Köln\r\n2\tZoë\t41\t007'), file: { delimiter: '\t' } },
  { name: 'a database, with | and empty columns at the end', bytes: Buffer.from('sep=|\nno|name|age|address|||\n1|Jürgen Weiß|33|Bahnhofstraße 5, Köln|||\n|||||\n2|Zoë|41|007\n'), file: { delimiter: '|' } },
  { name: 'SAP, a list saved as Unicode text', bytes: utf16('Debitor\tName 1\tAlter\tStraße\tOrt\t\r\n="0000000001"\tJürgen Weiß\t33,0\tBahnhofstraße 5\tKöln\t\r\n="0000000002"\tZoë\t41,0\t007\t\t\r\n'), map: ['customername:Name 1', 'customeraddress:Straße', 'customeraddress:Ort'] },
  { name: 'Salesforce, a report', bytes: latin1('"Account Number","First Name","Last Name","Age__c","Mailing Street","Mailing City"\n"1","Jürgen","Weiß","33","Bahnhofstraße 5","Köln"\n"2","","Zoë","41","007",""\n'), map: ['customername:First Name', 'customername:Last Name', 'customerage:Age__c', 'customeraddress:Mailing Street', 'customeraddress:Mailing City'] },
  { name: 'HubSpot, contacts', bytes: Buffer.from('"Record ID","First Name","Last Name","Email","Street Address","City"\n"1","Jürgen","Weiß","j@x.example","Bahnhofstraße 5","Köln"\n"2","Zoë","","","007",""\n'), map: ['customerid:Record ID', 'customername:First Name', 'customername:Last Name', 'customerage:=0', 'customeraddress:Street Address', 'customeraddress:City'], customers: usual.map(it => ({ ...it, customerage: 0 })) },
  { name: 'Outlook, contacts', bytes: latin1('"Title","First Name","Last Name","Customer ID","Business Street","Business City"\r\n"","Jürgen","Weiß","1","Bahnhofstraße 5","Köln"\r\n"","Zoë","","2","007",""\r\n'), map: ['customername:First Name', 'customername:Last Name', 'customerage:=0', 'customeraddress:Business Street', 'customeraddress:Business City'], customers: usual.map(it => ({ ...it, customerage: 0 })), file: { charset: 'windows-1252' } }
]

// Titles above the headings.
const titled: Export[] = [
  { name: 'SAP, a report', bytes: utf16('29.11.2026\tDynamische Listenausgabe\t1\r\n\r\nKundenliste\r\n\r\n\tDebitor\tName\tAlter\tAdresse\r\n\t1\tJürgen Weiß\t33\tBahnhofstraße 5, Köln\r\n\t2\tZoë\t41\t007\r\n'), file: { headingsLine: 5, delimiter: '\t' } },
  {
    name: 'Salesforce, a formatted report',
    bytes: await zip(workbookParts({
      Report: {
        rows: inline('Accounts, all; as of today') + inline('Filtered By', 'All') +
          inline('Account Number', 'Account Name', 'Age', 'Mailing Street', 'Mailing City') +
          inline('1', 'Jürgen Weiß', '33', 'Bahnhofstraße 5', 'Köln') + inline('2', 'Zoë', '41', '007')
      }
    })),
    type: XLSX,
    map: ['customeraddress:Mailing Street', 'customeraddress:Mailing City'],
    file: { headingsLine: 3 }
  },
  { name: 'a title in CSV', bytes: Buffer.from('Customers, as of 29 November\n\nNumber;Name;Age;Address\n1;Jürgen Weiß;33;Bahnhofstraße 5, Köln\n2;Zoë;41;007\n'), file: { headingsLine: 3, delimiter: ';' } }
]

t.test('files as programs write them are imported, and the report says what was found', async t => {
  for (const { name, bytes, type = 'text/csv', map = [], query = '', customers = usual, file = {} } of [...exports, ...titled]) {
    const { http, everything, read } = await build(t)
    const url = `${PATH}/import?${[query, ...map.map(text => `map=${encodeURIComponent(text)}`)].join('&')}`
    const answer = await http.inject({ method: 'POST', url, headers: { authorization: `Bearer ${everything}`, 'content-type': type }, payload: bytes })
    t.match(answer.json(), { lines: 2, registered: 2, failed: 0, file }, name)
    t.match([await read(1), await read(2)], customers, name)
  }
})

t.test('lines are skipped only above known headings with more cells, at most ten, and the report says so', async t => {
  const { send } = await build(t)
  const headers = { 'content-type': 'text/csv' }
  const preview = async (form: string) => (await send('POST', `${PATH}/import/preview`, { form, headers })).json()
  const table = 'Number,Name,Age,Address\n1,Ann,33,Here\n'
  t.match(await preview(`${'Title\n'.repeat(10)}${table}`), {
    headings: ['Number', 'Name', 'Age', 'Address'], headingsLine: 11, rows: [['1', 'Ann', '33', 'Here']], missing: []
  })
  for (const [text, first, rows] of [
    [table, 'Number', 1],
    [`${'Title\n'.repeat(11)}${table}`, 'Title', 5],
    [`Kd,Wie,Jahre,Wo\n${table}`, 'Kd', 2],
    ['Title,A\n7,Name,Here\n8,No,ID\n', 'Title', 2],
    [`Name,Extra\n${table}`, 'Name', 2]
  ] as const) {
    const { headings, headingsLine, rows: found } = await preview(text)
    t.same([headings[0], headingsLine, found.length], [first, undefined, rows], text)
  }
})

t.test('a title is skipped above unknown headings too, so that they can be mapped', async t => {
  const { send } = await build(t)
  const form = 'Kundenliste;;;\n;;;\nKd;Wer;Jahre;Wo\n1;Ann;33;Here\n'
  const headers = { 'content-type': 'text/csv' }
  const post = async (path: string, form: string) => (await send('POST', `${PATH}/${path}`, { form, headers })).json()
  t.match(await post('import/preview', form), {
    headings: ['Kd', 'Wer', 'Jahre', 'Wo'], headingsLine: 3, rows: { length: 1 }, suggested: { customerid: undefined }
  })
  const { detail } = await post('import', form)
  t.match(detail, /^Line 3 is missing .* Found: Kd, Wer, Jahre, Wo\. .* Map a column/)
  t.notMatch(detail, 'auto')
  t.match((await post('import', 'Kundenliste;;;\n')).detail, /Found: Kundenliste\. /)
  const map = ['customerid:Kd', 'customername:Wer', 'customerage:Jahre', 'customeraddress:Wo'].map(text => `map=${text}`).join('&')
  t.match(await post(`import?${map}`, form), { registered: 1, failed: 0, file: { headingsLine: 3 } })
})

t.test('files that are no tables are refused with a sentence that helps, also in a preview', async t => {
  const { http, everything } = await build(t)
  const cases: Array<[name: string, bytes: Buffer, detail: RegExp, type?: string]> = [
    ['Excel 97', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), /save it as \.xlsx without a password/],
    ['LibreOffice, ODS', await zip({ 'content.xml': '', 'META-INF/manifest.xml': '' }), /\.ods.*save it as \.xlsx/],
    ['Outlook, vCard', Buffer.from('BEGIN:VCARD\r\nN:Weiß;Jürgen\r\nEND:VCARD\r\n'), /export the contacts as CSV/],
    ['HTML as .xls', Buffer.from('<html><table><tr><td>1</td></tr></table></html>'), /web page.*save it as \.xlsx/],
    ['PDF', Buffer.from('%PDF-1.4\n'), /This is a PDF/],
    ['JSON', Buffer.from('[{"customerid":1}]'), /This is JSON\. Send it as application\/json/],
    ['a workbook as JSON', await zip(workbookParts({ A: { rows: '' } })), /not JSON/, 'application/json'],
    ['an empty sheet', await zip(workbookParts({ A: { rows: '' } })), /The file is empty/]
  ]
  for (const [name, payload, detail, type = 'text/csv'] of cases) {
    for (const action of type === 'text/csv' ? ['import', 'import/preview'] : ['import']) {
      const headers = { authorization: `Bearer ${everything}`, 'content-type': type }
      const answer = await http.inject({ method: 'POST', url: `${PATH}/${action}`, headers, payload })
      t.match(answer.json(), { status: 400, type: '/problems/file-unreadable', detail, fault: { reason: /^[a-z-]+$/ } }, `${name}, ${action}`)
    }
  }
})

t.test('a preview of a workbook names its sheets', async t => {
  const { http, everything } = await build(t)
  const payload = await zip(workbookParts({ Kunden: { rows: sheet('') }, Old: { rows: '' } }, { strings }))
  const headers = { authorization: `Bearer ${everything}`, 'content-type': XLSX, 'content-encoding': 'gzip' }
  const answer = await http.inject({ method: 'POST', url: `${PATH}/import/preview`, headers, payload: gzipSync(payload) })
  t.match(answer.json(), { format: 'xlsx', sheet: 'Kunden', sheets: ['Kunden', 'Old'], rows: [['1', 'Jürgen Weiß', '33', 'Bahnhofstraße 5, Köln'], { length: 4 }], missing: [] })
})
