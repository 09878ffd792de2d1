import t from 'tap'
import { PATH, build } from '../../support/helper.js'

type Service = Awaited<ReturnType<typeof build>>

async function send ({ http, everything }: Service, action: 'import' | 'import/preview', body: string | Buffer, query = '', headers = {}) {
  const answer = await http.inject({
    method: 'POST',
    url: `${PATH}/${action}?${query}`,
    payload: body,
    headers: { authorization: `Bearer ${everything}`, 'content-type': 'text/csv', ...headers }
  })
  return { status: answer.statusCode, ...answer.json() }
}

const map = (...texts: string[]) => texts.map(text => `map=${encodeURIComponent(text)}`).join('&')

t.test('a preview has the headings, the first five records, and what is missing; the suggested mapping imports the file', async t => {
  const service = await build(t)
  const rows = Array.from({ length: 50 }, (_, index) => `${index + 1};Ada ${index};Lovelace;36;Hauptstr. 1;10115;Berlin\n`)
  const file = `Nr.;Vorname;Name;Alter;Straße;PLZ;Ort\n${rows.join('')}`
  const preview = await send(service, 'import/preview', file)
  t.match(preview, {
    ...{ status: 200, format: 'csv', charset: 'utf-8', delimiter: ';', rows: { length: 5 } },
    headings: ['Nr.', 'Vorname', 'Name', 'Alter', 'Straße', 'PLZ', 'Ort'],
    mapping: { customerid: ['Nr.'], customerage: ['Alter'] },
    missing: ['customername', 'customeraddress'],
    suggested: { customername: ['Vorname', 'Name'], customeraddress: ['Straße', 'PLZ', 'Ort'] }
  })
  t.equal(await service.db.customer.count(), 0)
  t.match(await send(service, 'import', file), { status: 400, detail: /customername, customeraddress\. Found: .* Did you mean map=customername:Vorname and map=customername:Name and map=customeraddress:Straße/ })
  const query = map(...Object.entries<string[]>({ ...preview.mapping, ...preview.suggested }).flatMap(([field, texts]) => texts.map(text => `${field}:${text}`)))
  t.match(await send(service, 'import/preview', file, query), { missing: [], suggested: {} })
  t.match(await send(service, 'import', file, query), {
    status: 200, lines: 50, registered: 50, file: { format: 'csv', charset: 'utf-8', delimiter: ';', mapping: { ...preview.mapping, ...preview.suggested } }
  })
  t.match(await service.read(3), { customername: 'Ada 2 Lovelace', customerage: 36, customeraddress: 'Hauptstr. 1, 10115, Berlin' })
})

t.test('a column can be named by its position, and an empty cell can get a value', async t => {
  const service = await build(t)
  const file = 'Number,Name,Name,auto,Address\n1,a,b,,x\n2,,c,7,y\n'
  t.match(await send(service, 'import', file), {
    status: 400,
    detail: /^Line 1 has several columns of customername: Name, Name\. Choose one, such as map=customername:#2\./,
    fault: { columns: 'Name, Name' }
  })
  t.match(await send(service, 'import/preview', file, map('customername:#2')), {
    mapping: { customername: ['#2'] }, missing: ['customerage']
  })
  t.match(await send(service, 'import', file, map('customername:#2', 'customername:#3', 'customerage:#4', 'customerage:=40')), { registered: 2 })
  t.match(await service.read(1), { customername: 'a b', customerage: 40 })
  t.match(await service.read(2), { customername: 'c', customerage: 7 })
})

t.test('a preview suggests the first of several columns with a known heading; an import is refused until one is chosen', async t => {
  const service = await build(t)
  const file = 'ID;Kundennummer;Name;Alter;Adresse\n1;11;Ann;33;x\n'
  t.match(await send(service, 'import/preview', file), {
    status: 200, missing: ['customerid'], suggested: { customerid: ['ID'] }, headings: { length: 5 }, rows: { length: 1 }
  })
  t.match(await send(service, 'import', file), {
    status: 400, detail: /^Line 1 has several columns of customerid: ID, Kundennummer\. Choose one, such as map=customerid:ID\./
  })
  t.match(await send(service, 'import', file, map('customerid:Kundennummer')), { registered: 1 })
  t.equal((await service.read(11)).customername, 'Ann')
})

t.test('an impossible mapping is refused with what was probably meant', async t => {
  const service = await build(t)
  const file = 'Number,Full name,Age,Address\n1,a,3,x\n'
  const cases: Array<[texts: string[], answer: object]> = [
    [['customernam:Full name'], { errors: [{ field: 'map', detail: 'There is no such field; did you mean `customername`?' }] }],
    [['customername'], { errors: [{ detail: /a colon and a heading/ }] }],
    [['customerage:auto'], { errors: [{ detail: /Only customerid can be auto/ }] }],
    [['customerage:=old'], { errors: [{ rule: 'integer' }] }],
    [['customername:Full nam'], { detail: 'Line 1 has no column Full nam. Did you mean Full name? Found: Number, Full name, Age, Address.' }],
    [['customername:#5'], { detail: /has no column #5/ }]
  ]
  for (const [texts, answer] of cases) t.match(await send(service, 'import/preview', file, map(...texts)), { status: 400, ...answer }, String(texts))
  t.match(await send(service, 'import/preview', ''), { status: 400, detail: /^The file is empty/ })
  t.match(await send(service, 'import/preview', '[1]', '', { 'content-type': 'application/json' }), { status: 200, format: 'json', headings: [], rows: [], missing: [] })
})
