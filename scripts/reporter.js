// Prints test results, the last line of which is `N passed, N failed`. run-tests.js and tap's own command both use it.
import { Transform } from 'node:stream'
import { inspect } from 'node:util'
import { Parser } from 'tap-parser'

/**
 * Formats TAP: a line for each file, failures in full, the tests of each database, and `N passed, N failed` as the last line.
 * Counts tests without subtests, and failures outside of them. A test without assertions counts as skipped. The run fails if
 * no test ran and, in CI, if one was skipped.
 */
export default class Reporter extends Transform {
  #count = { passed: 0, failed: 0, skipped: 0 }
  #ran = { SQLite: 0, PostgreSQL: 0 }
  #parser = new Parser()

  constructor () {
    super()
    this.#watch(this.#parser, [])
    this.#parser.on('extra', text => this.push(text))
    this.#parser.on('bailout', reason => {
      this.#count.failed++
      this.#fail(['Bail out!'], { name: reason })
    })
  }

  /** Follows a file or test and its subtests. Returns counts that increase as they end. */
  #watch (parser, names) {
    const inside = { name: parser.name, parser, tests: 0, failed: 0, isReported: false }
    let child
    parser.on('child', childParser => { child = this.#watch(childParser, [...names, childParser.name]) })
    parser.on('assert', result => {
      const closed = child
      child = undefined
      const outcome = outcomeOf(result, closed)
      const counts = closed?.tests > 0
        ? outcome === 'failed' && closed.failed === 0
        : closed !== undefined || outcome === 'skipped' || names.length === 0
      if (counts) this.#add(outcome, names[0] ?? result.name)
      if (outcome === 'failed' && !closed?.isReported) this.#fail(names, { ...result, diag: result.diag ?? incompleteness(closed) })
      if (outcome === 'skipped' && names.length > 0) this.push(`skipped  ${[...names, result.name].join(' › ')}: ${reasonOf(result)}\n`)
      if (names.length === 0) this.push(`${outcome.padEnd(8)} ${closed?.name ?? result.name} (${seconds(result)} s)\n`)
      inside.tests += (closed?.tests ?? 0) + (counts ? 1 : 0)
      inside.failed += (closed?.failed ?? 0) + (counts && outcome === 'failed' ? 1 : 0)
      inside.isReported ||= outcome === 'failed'
    })
    return inside
  }

  #add (outcome, file) {
    this.#count[outcome]++
    const database = databaseOf(file)
    if (database !== undefined && outcome !== 'skipped') this.#ran[database]++
  }

  #fail (names, { name, diag }) {
    const lines = Object.entries(diag ?? {}).map(([key, value]) =>
      typeof value === 'string' && value.includes('\n') ? `${key}:\n${value}` : `${key}: ${inspect(value, { depth: 9 })}`)
    this.push(`\nFAILED   ${[...names, name].join(' › ')}\n${lines.join('\n')}\n`)
  }

  _transform (chunk, encoding, done) {
    this.#parser.write(chunk)
    done()
  }

  _flush (done) {
    this.#parser.end()
    const { passed, failed, skipped } = this.#count
    if (failed > 0 || passed === 0 || (skipped > 0 && process.env.CI)) process.exitCode = 1
    const ran = Object.entries(this.#ran).map(([database, tests]) => `${tests} on ${database}`).join(', ')
    if (this.#ran.PostgreSQL > 0) this.push(`\nDatabase tests: ${ran}.\n`)
    this.push(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
    done()
  }
}

/** The database of a file's tests, if they run on both. */
function databaseOf (name) {
  return /\((SQLite|PostgreSQL)\)$/.exec(name)?.[1]
}

function outcomeOf ({ ok, skip, todo }, closed) {
  if (skip || todo || (ok && closed?.parser.count === 0)) return 'skipped'
  return ok && closed?.parser.ok !== false ? 'passed' : 'failed'
}

/** TAP errors of subtests, such as a missing plan after the process ended. */
function incompleteness (closed) {
  return { tap: closed?.parser.failures.flatMap(({ tapError }) => tapError ?? []).join(', ') }
}

function seconds ({ time }) {
  return ((time ?? 0) / 1000).toFixed(1)
}

function reasonOf ({ skip, todo }) {
  const reason = skip || todo || 'it asserts nothing'
  return reason === true ? 'no reason given' : reason
}
