import { once } from 'node:events'
import { request } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readFlags } from './flags.js'
import { bearer, customer } from './loads.js'
import { digits, table } from './report/table.js'
import { run } from './run.js'
import { loadTargets } from './target.js'

/** `node tools/bench/files.js` imports a file of a million customers, exports it, and undoes the import; prints time and memory. */
const { rows, targets: names } = readFlags({ rows: 1_000_000, targets: ['customer-service-sqlite', 'customer-service-postgresql'] })

/** Customers before the import. */
const CUSTOMERS = 1_000
/** How often to read memory, in milliseconds. */
const SAMPLE_MS = 200

await run(async () => ({ targets: await loadTargets({ names, folders: ['frontdesk'] }), customers: CUSTOMERS }), async subjects => {
  const results = []
  for (const name of names) {
    const { context } = await subjects.start(name)
    const idle = subjects.rss(name)
    const imported = await measure(subjects, name, () => importAll(context))
    if (imported.result.registered !== rows) throw new Error(`imported only ${JSON.stringify(imported.result)}`)
    const exported = await measure(subjects, name, () => exportAll(context))
    if (exported.result !== rows + CUSTOMERS) throw new Error(`exported ${exported.result} lines`)
    const undone = await measure(subjects, name, () => undo(context, imported.result.operation))
    if (undone.result.reverted !== rows) throw new Error(`undid only ${JSON.stringify(undone.result)}`)
    results.push(...Object.entries({ import: imported, export: exported, undo: undone }).map(([what, it]) => ({ name, what, idle, ...it })))
    await subjects.stop([name])
  }
  console.log(table(
    `files: ${rows.toLocaleString('en-US')} customers`,
    ['target', 'what', 'seconds', 'customers/s', 'idle MB', 'peak MB'],
    results.map(({ name, what, seconds, idle, peak }) => [name, what, digits(seconds), digits(rows / seconds), digits(idle), digits(peak)])
  ))
  return true
})

/** Measures the duration of work, and the service's peak memory in megabytes. */
async function measure (subjects, name, work) {
  let peak = subjects.rss(name)
  const timer = setInterval(() => { peak = Math.max(peak, subjects.rss(name)) }, SAMPLE_MS)
  const start = performance.now()
  try {
    const result = await work()
    return { result, seconds: (performance.now() - start) / 1000, peak }
  } finally {
    clearInterval(timer)
  }
}

/** Generates and sends a CSV file. @returns the report */
async function importAll (context) {
  const headers = { ...bearer(context), 'content-type': 'text/csv' }
  const asked = request(`${context.url}/rest/qa/customer/import`, { method: 'POST', headers })
  const answered = once(asked, 'response')
  await pipeline(Readable.from(file()), asked)
  const [response] = await answered
  return JSON.parse(Buffer.concat(await response.toArray()).toString())
}

/** Undoes an operation. @returns the report */
async function undo (context, operation) {
  const path = `/rest/qa/customer/operations/${operation}/undo`
  const [response] = await once(request(context.url + path, { method: 'POST', headers: bearer(context) }).end(), 'response')
  return JSON.parse(Buffer.concat(await response.toArray()).toString())
}

function * file () {
  let text = 'customerid,customername,customerage,customeraddress\n'
  for (let id = CUSTOMERS + 1; id <= CUSTOMERS + rows; id++) {
    const { name, age, address } = customer(id)
    text += `${id},"${name}",${age},"${address}"\n`
    if (text.length < 60_000) continue
    yield text
    text = ''
  }
  yield text
}

/** Receives a file. @returns its lines */
async function exportAll (context) {
  const asked = request(`${context.url}/rest/qa/customer/export`, { headers: { ...bearer(context), accept: 'application/x-ndjson' } }).end()
  const [response] = await once(asked, 'response')
  let lines = 0
  await pipeline(response, new Writable({
    write (chunk, _encoding, done) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
      done()
    }
  }))
  return lines
}
