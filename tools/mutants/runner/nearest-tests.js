import { determineHitLimitReached, DryRunStatus, TestStatus, toMutantRunResult } from '@stryker-mutator/api/test-runner'
import { readFileSync, writeFileSync } from 'node:fs'
import { register } from 'node:module'
import { resolve } from 'node:path'
import { testsOf } from '../folders.js'
import { runTest } from './run-test.js'
import { collect } from './tap.js'

/** Tells instrumented code which mutant is active, and counts the mutants that the current test reaches. */
const mutants = globalThis.__stryker__ ??= {}

/** Duration of each test without a mutant, by id, from the first run. */
const TIMES = 'test-times.json'

/**
 * Runs a mutant's nearest tests in this process, the fastest first, until one fails: a process for each mutant and file would take
 * hours. A copy of the module repeats the code that runs when a module is loaded.
 */
export class NearestTests {
  #loaded = new Map()
  #copies = 0

  capabilities () {
    return { reloadEnvironment: true }
  }

  init () {
    register('./hooks.js', import.meta.url)
  }

  async dryRun ({ files }) {
    const tests = []
    for (const test of await this.#load(testsOf(files))) {
      mutants.currentTestId = test.id
      tests.push(await run(test))
    }
    writeFileSync(TIMES, JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))))
    return { status: DryRunStatus.Complete, tests, mutantCoverage: mutants.mutantCoverage }
  }

  async mutantRun ({ activeMutant, testFilter, hitLimit, reloadEnvironment }) {
    const files = testsOf([activeMutant.fileName])
    const activate = () => Object.assign(mutants, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    Object.assign(mutants, { activeMutant: undefined, currentTestId: undefined })
    if (reloadEnvironment) activate()
    try {
      const tests = await this.#load(files, reloadEnvironment ? `${process.pid}x${++this.#copies}` : undefined)
      activate()
      return toMutantRunResult(await runUntilOneFails(tests.filter(({ id }) => testFilter?.includes(id) ?? true)))
    } catch (error) {
      return toMutantRunResult({ status: DryRunStatus.Complete, tests: [resultOf({ id: 'loading', file: '' }, 0, `${error}`)] })
    } finally {
      mutants.activeMutant = undefined
    }
  }

  /** The tests of these files. */
  async #load (files, copy) {
    const tests = []
    for (const file of files) {
      const collected = (copy === undefined && this.#loaded.get(file)) || await collect(resolve(file), copy)
      if (copy === undefined) this.#loaded.set(file, collected)
      tests.push(...[...collected].map(([name, work]) => ({ id: `${file} ${name}`, file, name, work })))
    }
    return tests
  }
}

async function runUntilOneFails (tests) {
  const times = JSON.parse(readFileSync(TIMES, 'utf8'))
  const results = []
  for (const test of tests.sort((one, other) => times[one.id] - times[other.id])) {
    results.push(await run(test))
    const endless = determineHitLimitReached(mutants.hitCount, mutants.hitLimit)
    if (endless) return endless
    if (results.at(-1).status === TestStatus.Failed) break
  }
  return { status: DryRunStatus.Complete, tests: results }
}

async function run (test) {
  const begun = performance.now()
  const failure = await runTest(test.name, test.work)
  return resultOf(test, performance.now() - begun, failure)
}

function resultOf ({ id, file }, timeSpentMs, failureMessage) {
  const status = failureMessage === undefined ? TestStatus.Success : TestStatus.Failed
  return { id, name: id, fileName: resolve(file), timeSpentMs, status, failureMessage }
}
