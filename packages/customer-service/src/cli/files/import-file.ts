import { Value } from '@sinclair/typebox/value'
import { setTimeout as sleep } from 'node:timers/promises'
import { ImportReport } from '../../customer/import/report.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { readJson } from './answer.js'
import { PassingError } from './passing-error.js'
import type { Progress } from '@frontdesk/service-kit/cli/progress'
import { ask, assertType, lost, type Service } from './service.js'
import type { Source } from './source.js'

/** How long to wait before each further attempt that comes no further, in milliseconds. */
const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000]

/** How a file is sent. */
interface Import {
  readonly source: Source
  readonly type: string
  readonly query: string
  /** Without it, an import does not continue. */
  readonly key: string | undefined
}

/** What attempts need, and report to. */
export interface Attempts {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly print: (line: string) => void
  readonly wait?: typeof sleep
}

/**
 * Sends a file, again with a valid token and the same key after a failure that may pass. What can be read only once is sent
 * once.
 * @returns the report; `isReplay`: an earlier command has imported the file
 * @throws CommandError with the reason
 */
export async function importFile (
  service: Service, { source, type, query, key }: Import, { signal, progress, print, wait = sleep }: Attempts
): Promise<{ report: ImportReport, isReplay: boolean }> {
  let done = 0
  for (let attempts = 0, failures = 0; ; attempts++) {
    try {
      return await attempt(attempts === 0)
    } catch (error) {
      if (!(error instanceof PassingError) || source.size === undefined) throw error
      // A service that was never reached has another address, or is not started.
      if (attempts === 0 && !error.wasReached) throw error
      if (error.done > done) [done, failures] = [error.done, 0]
      const backoff = BACKOFF_MS[failures++]
      if (backoff === undefined) throw error
      const ms = Math.max(backoff, error.retryAfterMs)
      print(`${error.message} Trying again in ${ms / 1_000} s.`)
      await wait(ms, undefined, { signal })
    }
  }

  async function attempt (isFirst: boolean) {
    const headers = { 'content-type': type, ...key === undefined ? {} : { 'idempotency-key': key } }
    progress.start('Importing', { unit: 'MB', total: source.size })
    try {
      return await ask(service, `/import${query}`, { method: 'POST', headers, body: read(), signal }, async response => {
        assertType(response, 'application/json', service.url)
        const report = await readJson(response)
        if (report === undefined) throw lost(service.url)
        if (!Value.Check(ImportReport, report)) throw new CommandError(`${service.url.href} is not the address of customer-service. Check --url.`)
        return { report, isReplay: isFirst && response.headers['idempotent-replayed'] === 'true' }
      })
    } finally {
      progress.stop()
    }
  }

  async function * read () {
    for await (const bytes of source.read()) {
      progress.add(bytes.length)
      yield bytes
    }
    // The service may have megabytes of it to read.
    progress.start('Waiting for the report')
  }
}
