import { Value } from '@sinclair/typebox/value'
import { setTimeout as sleep } from 'node:timers/promises'
import { ImportReport } from '../../customer/import/report.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { readJson } from './read-json.js'
import { TransientError } from './transient-error.js'
import type { Progress } from '@frontdesk/service-kit/cli/progress'
import { call, assertType, lost, type Service } from './service.js'
import type { Source } from '@frontdesk/service-kit/cli/source'

/** Backoff before each retry, in milliseconds. Starts again after progress. */
const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000]

/** A file to import. */
interface Import {
  readonly source: Source
  readonly type: string
  readonly query: string
  /** Idempotency key, required to continue an import. */
  readonly key: string | undefined
}

/** How to stop, show and delay the attempts. */
export interface Attempts {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly print: (line: string) => void
  readonly wait?: typeof sleep
}

/**
 * Imports a file. Retries transient failures, with a valid token and the same key, unless the file can be read only once.
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
      if (!(error instanceof TransientError) || source.size === undefined) throw error
      // The first attempt did not reach the service: the address is wrong, or it is not running.
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
      return await call(service, `/import${query}`, { method: 'POST', headers, body: read(), signal }, async response => {
        assertType(response, 'application/json', service.url)
        const report = await readJson(response)
        if (report === undefined) throw lost(service.url)
        if (!Value.Check(ImportReport, report)) {
          throw new CommandError(`${service.url.href} is not the address of customer-service. Check --url.`)
        }
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
    // The service may still read megabytes from its buffers.
    progress.start('Waiting for the report')
  }
}
