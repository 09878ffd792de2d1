import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { recordsOf } from '../../support/records-of.js'

/** It measures the memory of its process. */
export const needsOwnProcess = true

const SIZE = 10_000_000
/** In how many parts they come. */
const PIECES = 160
/** Memory that a file of any length may hold at a time, in bytes: records, and buffers that are freed late. */
const HELD = 6_000_000

const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'
const JSON_ARRAY = 'application/json'
const HEADINGS = 'number,name,age,address\n'
const ROW = '1,a,3,x\n'
const RECORD = '{"customerid":1,"customername":"a","customerage":3,"customeraddress":"x"}'

setFlagsFromString('--expose-gc')
// as: the flag adds it.
const collectGarbage = runInNewContext('gc') as () => void

function memoryInUse (): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Reads a file of some text, 10 MB of a unit, and some text, and measures the memory while it comes. */
async function readFlood (type: string, before: string, unit: string, after: string) {
  const inUse = memoryInUse()
  let held = 0
  const piece = Buffer.from(unit.repeat(Math.ceil(SIZE / PIECES / unit.length)))
  async function * body () {
    yield Buffer.from(before)
    for (let sent = 1; sent <= PIECES; sent++) {
      yield piece
      if (sent % (PIECES / 2) === 0) held = Math.max(held, memoryInUse() - inUse)
    }
    yield Buffer.from(after)
  }
  const counts = { customers: 0, failed: 0, detail: '', unreadable: '' }
  try {
    for await (const record of recordsOf(type, body())) {
      if ('customer' in record) counts.customers++
      else {
        counts.failed++
        counts.detail = record.errors[0]?.detail ?? ''
      }
    }
  } catch (error) {
    counts.unreadable = String(error)
  }
  return { held, ...counts }
}

interface Flood { name: string, type: string, before: string, unit: string, after: string, outcome: object }

const tooLong = { customers: 1, failed: 1, detail: /^The record must have at most (65,536 bytes|1,000 cells)/, unreadable: '' }

const inRecords: Flood[] = [
  ...[',', ';', '\t'].flatMap(delimiter => [delimiter, `""${delimiter}`, 'x'].map(unit => ({
    name: `CSV with ${JSON.stringify(delimiter)}, a record of ${JSON.stringify(unit)}`,
    type: CSV,
    before: HEADINGS.replaceAll(',', delimiter),
    unit,
    after: `\n${ROW.replaceAll(',', delimiter)}`,
    outcome: tooLong
  }))),
  ...['\n', '\r\n', ',\n', '""'].map(unit => ({
    name: `CSV, a quoted cell of ${JSON.stringify(unit)}`, type: CSV, before: `${HEADINGS}1,"`, unit, after: `",3,x\n${ROW}`, outcome: tooLong
  })),
  ...['x', '[', ' ', '{"a":'].map(unit => ({
    name: `NDJSON, a line of ${JSON.stringify(unit)}`, type: NDJSON, before: '', unit, after: `\n${RECORD}\n`, outcome: tooLong
  })),
  ...['x', '\n', '\\\\', ']}'].map(unit => ({
    name: `a JSON array, a string of ${JSON.stringify(unit)}`, type: JSON_ARRAY, before: '[{"customerid":"', unit, after: `"},${RECORD}]`, outcome: tooLong
  })),
  ...[' ', '\n', '"a":1,', '"":[],'].map(unit => ({
    name: `a JSON array, an object of ${JSON.stringify(unit)}`, type: JSON_ARRAY, before: '[{', unit, after: `},${RECORD}]`, outcome: tooLong
  })),
  { name: 'a JSON array, a long name', type: JSON_ARRAY, before: '[{"', unit: 'n', after: `":1},${RECORD}]`, outcome: tooLong }
]

const unreadable = (sentence: RegExp) => ({ customers: 0, failed: 0, unreadable: sentence })
const TOO_LONG = /^Error: Line 1 must have at most (65,536 bytes|1,000 cells)\./

const instead: Flood[] = [
  ...[',', ';', '\t', '"",', 'x', '"\n"'].map(unit => ({
    name: `CSV, a first line of ${JSON.stringify(unit)}`, type: CSV, before: '', unit, after: `\n${ROW}`, outcome: unreadable(TOO_LONG)
  })),
  ...['\r', '\r\n', ';;;\r\n'].map(unit => ({
    name: `CSV, empty lines of ${JSON.stringify(unit)} before the headings`,
    type: CSV,
    before: '',
    unit,
    after: unit.startsWith(';') ? (HEADINGS + ROW).replaceAll(',', ';') : HEADINGS + ROW,
    outcome: { customers: 1, failed: 0, unreadable: '' }
  })),
  ...['\n', ',,,\r\n', '"",""\n'].map(unit => ({
    name: `CSV, empty lines of ${JSON.stringify(unit)} between the records`,
    type: CSV,
    before: HEADINGS,
    unit,
    after: ROW,
    outcome: { customers: 1, failed: 0, unreadable: '' }
  })),
  ...['\n', '\t\r\n'].map(unit => ({
    name: `NDJSON, empty lines of ${JSON.stringify(unit)}`,
    type: NDJSON,
    before: '',
    unit,
    after: `\n${RECORD}\n`,
    outcome: { customers: 1, failed: 0, unreadable: '' }
  })),
  ...['\n', '\t'].map(unit => ({
    name: `a JSON array after ${JSON.stringify(unit)}`, type: JSON_ARRAY, before: '', unit, after: `[${RECORD}]`, outcome: { customers: 1, failed: 0, unreadable: '' }
  })),
  { name: 'JSON, opening brackets', type: JSON_ARRAY, before: '', unit: '[', after: '', outcome: unreadable(/not closed/) },
  { name: 'JSON, opening brackets in an array', type: JSON_ARRAY, before: '[', unit: '[{"a":', after: '', outcome: unreadable(/not closed/) },
  { name: 'JSON, a string that is not closed', type: JSON_ARRAY, before: '["', unit: ']', after: '', outcome: unreadable(/not closed/) },
  { name: 'JSON, closing brackets', type: JSON_ARRAY, before: '[1', unit: ']', after: '', outcome: { customers: 0, failed: 1, unreadable: /not part of/ } },
  { name: 'JSON, commas', type: JSON_ARRAY, before: '[', unit: ',', after: '', outcome: unreadable(/not part of/) },
  { name: 'CSV, a quote that is not closed', type: CSV, before: `${HEADINGS}${ROW}2,"`, unit: 'b\n', after: '', outcome: { customers: 1, failed: 0, unreadable: /Line 3 has a quote that is not closed/ } },
  { name: 'CSV, text after a quote', type: CSV, before: `${HEADINGS}${ROW}`, unit: '"a"b', after: '', outcome: { customers: 1, failed: 0, unreadable: /Line 3 has text after a closing quote/ } }
]

for (const { name, type, before, unit, after, outcome } of [...inRecords, ...instead]) {
  t.test(`10 MB cost no memory, and the records around them are read: ${name}`, async t => {
    const { held, ...counts } = await readFlood(type, before, unit, after)
    t.match(counts, outcome)
    t.ok(held < HELD, `${held} bytes are held`)
  })
}
