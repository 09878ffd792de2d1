import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import t from 'tap'
import type { LineError } from '../../../src/stores/imports/imports.js'
import { PATH, build } from '../../support/helper.js'

export const onBothDatabases = true

const SAMPLES = new URL('../../../../test/routes/customers/samples/', import.meta.url)

type Service = Awaited<ReturnType<typeof build>>

const CSV = 'text/csv'
const HEADER = 'customerid,customername,customerage,customeraddress\n'
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index},name ${from + index},33,street ${from + index}\n`).join('')

async function send ({ http, everything }: Service, body: string | Buffer | Readable, { type = CSV, query = '', key = '' } = {}) {
  const answer = await http.inject({
    method: 'POST',
    url: `${PATH}/import${query}`,
    headers: { authorization: `Bearer ${everything}`, 'content-type': type, ...key === '' ? {} : { 'idempotency-key': key } },
    payload: body
  })
  return { status: answer.statusCode, headers: answer.headers, ...answer.json() }
}

t.test('files as Excel, LibreOffice and Google Sheets write them: five bad lines of fourteen are reported, each with its line', async t => {
  const samples = readdirSync(SAMPLES).filter(name => name.endsWith('.csv'))
  t.equal(samples.length, 6)
  for (const name of samples) {
    const service = await build(t)
    const { status, errors, ...report } = await send(service, readFileSync(new URL(name, SAMPLES)))
    t.match({ status, ...report }, { status: 200, lines: 14, registered: 9, failed: 5, hasMoreErrors: false, dryRun: false }, name)
    t.same(errors.map(({ line, errors: [first] }: LineError) => `${line} ${first?.field}`), [
      '7 customerage', '11 customerid', '12 customerid', '14 customername', '15 customerid'
    ], `${name}: the cell with a line break is lines 8 and 9`)
    t.match(await service.read(1), { customername: 'Jürgen Weiß', customeraddress: 'Bahnhofstraße 5, Köln' })
    t.match(await service.read(2), { customername: 'O"Neil; Söhne', customeraddress: '007' })
    t.match(await service.read(6), { customeraddress: 'Zeile eins\nZeile zwei' })
    t.match(await service.read(10), { customername: '=1+1', customeraddress: '@home' }, 'one apostrophe before a formula is taken off')
  }
})

t.test('NDJSON and JSON arrays have the rules of JSON bodies, and errors of the line where the record begins', async t => {
  const records = [
    '{"customerid":1,"customername":"a","customerage":1,"customeraddress":"[\\"}"}', '{"customerid":"2"}', '7',
    '{"customerid":3,"customername":"b","customerage":3,"customeraddress":"b"}'
  ]
  const wrong = [
    { line: 2, errors: [{ field: 'customerid' }, { field: 'customername' }, { field: 'customerage' }, { field: 'customeraddress' }] },
    { line: 3, errors: [{ field: '', detail: 'The record must be one JSON object, with up to 32 members.' }] }
  ]
  for (const [type, body] of [['application/x-ndjson', records.join('\r\n')], ['application/json', `[${records.join(',\n')}]\n`]] as const) {
    const service = await build(t)
    t.match(await send(service, Readable.from([...body].map(text => Buffer.from(text))), { type }), {
      status: 200, lines: 4, registered: 2, failed: 2, errors: wrong
    }, `${type}, byte by byte`)
    t.match(await service.read(1), { customeraddress: '["}' })
  }
})

t.test('a record of more than 65,536 bytes or 1,000 cells is an error of its line, and the others are imported', async t => {
  const service = await build(t)
  const row = (id: number) => `{"customerid":${id},"customername":"a","customerage":3,"customeraddress":"x"}`
  const cases: Array<[type: string, first: string, between: string, rest: string]> = [
    [CSV, `${HEADER}1,a,3,x\n`, `2,${'b'.repeat(65_535)},3,x`, '\n3,c,3,x\n'],
    [CSV, `${HEADER}4,a,3,x\n`, ','.repeat(1_000), '\r\n5,c,3,x\r\n'],
    [CSV, `${HEADER}6,a,3,x\n`, `2,"${'\n'.repeat(65_536)}",3,x`, '\n7,c,3,x'],
    ['application/x-ndjson', `${row(8)}\n`, '['.repeat(65_537), `\n${row(9)}`],
    ['application/json', `[${row(10)},\n`, `{"customerid":"${'[]'.repeat(40_000)}"}`, `,${row(11)}]`]
  ]
  for (const [type, first, between, rest] of cases) {
    const line = type === CSV ? 3 : 2
    t.match(await send(service, first + between + rest, { type }), {
      status: 200, lines: 3, registered: 2, failed: 1, errors: [{ line, errors: [{ field: '', detail: /^The record must have at most (65,536 bytes|1,000 cells)\.$/ }] }]
    }, between.slice(0, 10))
  }
  t.equal(await service.db.customer.count(), 10)
  t.match(await send(service, `${HEADER}${','.repeat(999)}\n`), { lines: 0 }, 'as many are an empty line')
  t.match(await send(service, `${HEADER}${','.repeat(998)}x\n`), { lines: 1, errors: [{ errors: [{ detail: 'The record must have 4 cells, as the headings; it has 999.' }] }] })
})

t.test('what cannot be read further is refused with its line; the records before it are imported, and reported', async t => {
  const cases: Array<[body: string | Buffer, detail: RegExp, type?: string]> = [
    ['', /^The file is empty\. The first line must name the columns\./],
    ['a,b\n', /^Line 1 is missing these columns: customerid, customername, customerage, customeraddress\. Found: a, b\. Known: customerid, customername, customerage, customeraddress, or Number, Name, Age, Address\. Map a column, such as map=customername:Heading, or set a value, such as map=customerage:=0\. Nothing was registered\.$/],
    ['number,NAME,age,address,Name\n', /^Line 1 has several columns of customername: NAME, Name\. Choose one, such as map=customername:NAME\./],
    [Buffer.concat([Buffer.from(`${HEADER}1,é,3,ü\n2,`), Buffer.from([0xe9]), Buffer.from(',3,x\n')]), /^Line 3 is not UTF-8\./],
    [`${HEADER}1,a,3,x\n2,"b,3,x\n3,c,3,x`, /^Line 3 has a quote that is not closed\./],
    [`${HEADER}1,a,3,x\n2,"b"c,3,x\n`, /^Line 3 has text after a closing quote\./],
    [`${','.repeat(1_000)}\n`, /^Line 1 must have at most 1,000 cells\. Nothing/],
    ['[1', /^Line 1 is the last, and the JSON array is not closed\./, 'application/json'],
    ['{}', /^Line 1 is not part of a JSON array/, 'application/json'],
    ['[1,]', /^Line 1 is not part of a JSON array/, 'application/json']
  ]
  const service = await build(t)
  for (const [body, detail, type] of cases) {
    t.match(await send(service, body, type === undefined ? {} : { type }), { status: 400, type: '/problems/file-unreadable', detail }, String(detail))
  }
  t.match(await send(service, `${HEADER}11,a,3,x\n12,"b`), { detail: /see report\.$/, fault: { reason: 'open-quote', line: 3 }, report: { lines: 1, registered: 1 } })
  t.match(await send(service, HEADER, { query: '?modus=x&dry_run=1' }), { status: 400, errors: [{ field: 'modus' }, { field: 'dry_run' }] })
  t.match(await send(service, HEADER, { type: 'text/plain' }), { status: 415 })
})

t.test('a dry run warns of what was probably mistyped, which an import registers, and never says that records were registered', async t => {
  const service = await build(t)
  await service.register(3)
  const file = `${HEADER}1, \u200b,33,x\n-2,b,-1,\n3,,151,taken\n4,d,150,x\n5,e,2147483647,x\n5,,-1,twice\n`
  const warnings = [
    { line: 2, customerid: 1, errors: [{ field: 'customername', rule: 'blank', detail: 'Is blank.' }] },
    { line: 3, customerid: -2, errors: [{ field: 'customerage', rule: 'unusual', minimum: 0, maximum: 150, detail: 'Is not from 0 to 150.' }] },
    { line: 6, customerid: 5, errors: [{ field: 'customerage', rule: 'unusual', minimum: 0, maximum: 150, detail: 'Is not from 0 to 150.' }] }
  ]
  const checked = await send(service, file, { query: '?dry_run=true' })
  t.match(checked, { lines: 6, registered: 4, failed: 2, errors: [{ line: 4 }, { line: 7 }], warned: 3 })
  t.strictSame(checked.warnings, warnings)
  t.match(await send(service, file, { query: '?dry_run=true&all_or_nothing=true' }), { registered: 0, failed: 2, warned: 3, dryRun: true }, 'nothing would be registered')
  const broken = await send(service, `${file}6,"f`, { query: '?dry_run=true' })
  t.match(broken, { status: 400, detail: 'Line 8 has a quote that is not closed. Nothing was registered.', report: { registered: 4, dryRun: true } })
  t.equal(await service.db.customer.count(), 1)
  t.match(service.log.filter(line => line.includes('"registered":')).map(line => JSON.parse(line)), [{ msg: 'file checked', dryRun: true, write: undefined }, { msg: 'file checked' }])
  t.match(await send(service, file), { registered: 4, failed: 2, warned: undefined, warnings: undefined })
  t.match(await service.read(-2), { customerid: -2, customername: 'b', customerage: -1, customeraddress: '' })
})

t.test('headings: where they begin, and how they are written, does not matter', async t => {
  const service = await build(t)
  const files = [
    '\ufeffNumber;Name;Age;Address\n1;"a,b,c,d,e,f";3;x\n', '\n\r\n;;;\n  \nNUMBER;name;AGE;Address\n2;"a,b";3;x,y,z\n', 'sep=;\r\nCustomer ID;Customer_Name;customer-age;CUSTOMER ADDRESS\r\n3;a;3;x\r\n',
    '\nid|name|age|address\n6|a;b|3|x,y\n', 'Kundennr.;Notiz;Name;ALTER;Straße;Anschrift\n7;;a;3;;x\n', 'N° client;Nom complet;Âge;Adresse\n8;a;3;x\n',
    ',,,,\n"customer id",\tname ,Age,address,"a;b;c;d;e;f"\n4,a,3,x,\n', 'customer_number\tName\tAge\tAddress\n5\ta,b\t3\tx\n\t\t\t\n'
  ]
  for (const file of files) t.match(await send(service, file), { status: 200, lines: 1, registered: 1 }, file)
  t.equal(await service.db.customer.count(), files.length)
  t.match(await send(service, `\n\n${HEADER}1,a,x,y\n`), { errors: [{ line: 4 }] })
  const refused: Array<[file: string, detail: string]> = [
    ['Numbr,Name,Age,Adresss\n', 'Line 1 is missing these columns: customerid, customeraddress. Found: Numbr, Name, Age, Adresss. Known: customerid, customername, customerage, customeraddress, or Number, Name, Age, Address. Did you mean map=customerid:Numbr and map=customeraddress:Adresss? Nothing was registered.'],
    ['\nid:name:age:address\n', 'Line 2 is missing these columns: customerid, customername, customerage, customeraddress. Found: id:name:age:address. Known: customerid, customername, customerage, customeraddress, or Number, Name, Age, Address. Map a column, such as map=customername:Heading, or set a value, such as map=customerage:=0. Separate the columns by comma, semicolon, TAB or |. Nothing was registered.']
  ]
  for (const [file, detail] of refused) t.match(await send(service, file), { status: 400, detail }, file)
  t.match((await send(service, `${'x'.repeat(50)},"\u0007",${'y,'.repeat(900)}z\n`)).detail, /Found: x{40}…, , y,( y,)* y and 883 more\. Known/)
})

t.test('all or nothing: one taken number, and nothing is registered; a dry run never registers', async t => {
  const service = await build(t)
  await service.register(150)
  const together = { query: '?all_or_nothing=true' }
  t.match(await send(service, HEADER + rows(1, 200), together), {
    status: 200, lines: 200, registered: 0, failed: 1, errors: [{ line: 151, customerid: 150, errors: [{ field: 'customerid' }] }]
  })
  t.match(await send(service, HEADER + rows(1, 200), { query: '?dry_run=true' }), { registered: 199, failed: 1, dryRun: true })
  t.equal(await service.db.customer.count(), 1)
  t.match(await send(service, HEADER + rows(151, 350), together), { registered: 200, failed: 0 })
  t.match(await send(service, HEADER + rows(1_000, 3_000), together), { status: 413, detail: /more than 2000 records\. Nothing was registered/ })
  t.equal(await service.db.customer.count(), 201)
  t.equal(await service.db.customerChange.count(), 201, 'each is in the record of changes')
})

t.test('Idempotency-Key: a file that stopped goes on after the last chunk, and the report is of the whole', async t => {
  const service = await build(t)
  await service.register(5)
  const file = HEADER + rows(1, 300)
  const headers = { authorization: `Bearer ${service.everything}`, 'content-type': CSV, 'idempotency-key': 'k' }
  const stopped = request({ port: await service.listen(), method: 'POST', path: `${PATH}/import`, headers })
  const answered = new AbortController()
  stopped.on('response', () => answered.abort()).on('error', () => {})
  stopped.write(file.slice(0, file.indexOf('\n280,')))
  while (!answered.signal.aborted && await service.db.customer.count() < 256) await setTimeout(10)
  t.notOk(answered.signal.aborted)
  stopped.destroy()
  let other
  // The service learns later that the connection is lost.
  do {
    await setTimeout(10)
    other = await send(service, file.replace('name 7,', 'other,'), { key: 'k' })
  } while (other.status === 409)
  t.match(other, { status: 422, type: '/problems/idempotency-key-reused' })
  t.match(await send(service, HEADER + rows(1, 100), { key: 'k' }), { status: 422 }, 'a file that ends before')
  const whole = { lines: 300, registered: 299, failed: 1, errors: [{ line: 6, customerid: 5 }] }
  t.match(await send(service, file, { key: 'k' }), { status: 200, ...whole })
  t.match(await send(service, file, { key: 'k' }), { headers: { 'idempotent-replayed': 'true' }, ...whole })
  t.match(await send(service, file + rows(301, 302), { key: 'k' }), { status: 422 }, 'a file that was longer')
  t.equal(await service.db.customer.count(), 300)
  await service.db.importProgress.updateMany({ data: { expiresAt: new Date(0) } })
  t.equal(await service.removeExpired('import', new Date()), 1)
})

t.test('two replicas that import with one key at once: one is refused, and each customer is registered once', async t => {
  const service = await build(t)
  const other = await build(t, { DATABASE_URL: service.config.databaseUrl })
  const file = HEADER + rows(1, 400)
  const answers = await Promise.all([service, service, other].map(async it => await send(it, file, { key: 'k' })))
  t.ok(answers.some(({ status }) => status === 409), 'within one process')
  t.ok(answers.every(({ status }) => [200, 409].includes(status)))
  t.match(await send(service, file, { key: 'k' }), { status: 200, registered: 400, failed: 0 })
  t.equal(await service.db.customerChange.count(), 400)
})
