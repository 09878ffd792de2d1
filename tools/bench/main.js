import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { compare } from './compare/compare.js'
import { loadPairs } from './compare/pairs.js'
import { orExit } from './flags.js'
import { installPackages, installPeers } from './install.js'
import { cores } from './machine/cores.js'
import { readOptions } from './options.js'
import { head } from './report/head.js'
import { rowsTable } from './report/table.js'
import { measureRows } from './rows.js'
import { run } from './run.js'
import { loadTargets } from './target.js'
import { namesWith, rowName, specials, workloads } from './workloads.js'

/**
 * `npm run bench` measures, prints tables and writes JSON. Fails on an unexpected response and, with `--compare`, if something
 * became slower.
 */
const options = { ...orExit(() => readOptions(process.argv.slice(2))), onProgress }
let pairs
let targets

await run(async dir => {
  if (options.compare !== undefined) {
    pairs = await loadPairs(options, dir)
    targets = pairs.targets
  } else {
    installPeers(options)
    targets = await loadTargets({ names: options.targets, folders: options.folders })
    installPackages(targets)
  }
  return { targets, customers: options.customers }
}, async (subjects, issuer) => {
  console.log(head(options))
  if (pairs !== undefined) return await compare(pairs, subjects, options, rows => writeJson(options, rows))
  const rows = []
  for (const workload of options.only) {
    if (specials.includes(workload)) rows.push(...await measureSpecial(workload, subjects, issuer))
    else for (const connections of options.connections) rows.push(...await measureWorkload(workload, connections, subjects))
    // What is there is worth keeping if the next one is broken off.
    writeJson(options, rows)
  }
  return rows.every(({ failure }) => failure === undefined)
})

async function measureSpecial (name, subjects, issuer) {
  const { default: special } = await import(`./special/${name}.js`)
  return await special(targets, subjects, { ...options, issuer })
}

async function measureWorkload (workload, connections, subjects) {
  const names = namesWith(targets, workload)
  if (names.length === 0) return []
  const rows = await measureRows(workload, names, subjects, { ...options, connections })
  // A server that runs on from one workload to the next would have its memory; the short form has no time for it.
  if (!options.smoke) await subjects.stop()
  onProgress('')
  console.log(rowsTable(`${rowName(workload, connections)}: ${workloads[workload].title}`, rows))
  return rows
}

/** Shows progress on a terminal. */
function onProgress (text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

function writeJson ({ json, rounds, seconds, customers }, rows) {
  mkdirSync(dirname(json), { recursive: true })
  writeFileSync(json, `${JSON.stringify({ node: process.version, cores, rounds, seconds, customers, rows }, null, 2)}\n`)
}
