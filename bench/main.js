import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startIssuer } from './issuer.js'
import { cores, pin } from './machine/cores.js'
import { readOptions } from './options.js'
import { head } from './report/head.js'
import { rowsTable } from './report/table.js'
import { measureRows } from './rows.js'
import { Subjects } from './subjects.js'
import { installPeers } from './install.js'
import { loadTargets } from './target.js'
import { specials, workloads } from './workloads.js'

// Each server that runs is killed at the exit of this process, whatever its cause.
process.setMaxListeners(0)

try {
  const options = readOptions(process.argv.slice(2))
  process.exitCode = await run(options) ? 0 : 1
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

/** Measures, prints the tables and writes the JSON; tells whether every answer was as expected. */
async function run (options) {
  installPeers(options)
  const targets = await loadTargets({ names: options.targets, folders: options.folders })
  pin(process.pid, cores?.load)
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const issuer = await startIssuer(dir)
  const subjects = new Subjects(targets, { dir, customers: options.customers, issuer })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => { subjects.close().finally(() => process.exit(130)) })
  console.log(head(options))
  try {
    const rows = []
    for (const workload of options.only) rows.push(...await measureWorkload(workload, targets, subjects, { ...options, issuer }))
    writeJson(options, rows)
    return rows.every(({ failure }) => failure === undefined)
  } finally {
    await subjects.close()
    issuer.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function measureWorkload (workload, targets, subjects, options) {
  if (specials.includes(workload)) {
    const { default: special } = await import(`./special/${workload}.js`)
    return await special(targets, subjects, options)
  }
  const { title, of = workload } = workloads[workload]
  const names = [...targets].filter(([, target]) => target.workloads[of] !== undefined).map(([name]) => name)
  if (names.length === 0) return []
  const rows = await measureRows(workload, names, subjects, { ...options, onProgress })
  // A server that runs on from one workload to the next would have its memory; the short form has no time for it.
  if (!options.smoke) await subjects.stop()
  onProgress('')
  console.log(rowsTable(`${workload}: ${title}`, rows))
  return rows
}

/** Shows on a terminal what is under way. */
function onProgress (text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

function writeJson ({ json, rounds, seconds, customers }, rows) {
  mkdirSync(dirname(json), { recursive: true })
  writeFileSync(json, `${JSON.stringify({ node: process.version, cores, rounds, seconds, customers, rows }, null, 2)}\n`)
}
