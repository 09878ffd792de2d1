import type { ImportReport } from '../../customer/import/report.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { importFile } from './import-file.js'
import { interruptible } from './interruptible.js'
import { TransientError } from './transient-error.js'
import { Progress } from '@frontdesk/service-kit/cli/progress'
import { describe } from './report.js'
import { findService } from './service.js'
import { contentKey, openSource } from '@frontdesk/service-kit/cli/source'

const REPLAYED = 'This is the report of an earlier import of this file. Nothing was registered now. ' +
  'To import it again, add --idempotency-key and a new key.'

export interface ImportOptions {
  readonly url: string
  /** Media type of the file. */
  readonly type: string
  readonly mode: string
  readonly match: string
  readonly allOrNothing: boolean
  readonly dryRun: boolean
  readonly sheet: string | undefined
  /** Where fields come from, as values of `map`. */
  readonly map: readonly string[]
  readonly idempotencyKey: string | undefined
}

/** Imports a file. @returns the report, and its text @throws CommandError */
export async function runImport (
  name: string, { url, type, mode, match, sheet, allOrNothing, dryRun, map, idempotencyKey }: ImportOptions
): Promise<{ report: ImportReport, isReplay: boolean, text: string }> {
  const service = findService(url)
  const source = await openSource(name)
  const progress = await Progress.open()
  const parameters = new URLSearchParams({ mode, match, all_or_nothing: `${allOrNothing}`, dry_run: `${dryRun}` })
  if (sheet !== undefined) parameters.append('sheet', sheet)
  for (const text of map) parameters.append('map', text)
  const whatNow = whatNext(dryRun, source.size !== undefined || idempotencyKey !== undefined)

  const { report, isReplay } = await interruptible(`Stopped. ${whatNow}`, async signal => {
    try {
      const key = dryRun ? undefined : idempotencyKey ?? await makeKey(signal)
      const print = (line: string) => { console.error(line) }
      return await importFile(service, { source, type, query: `?${parameters}`, key }, { signal, progress, print })
    } catch (error) {
      throw error instanceof TransientError && error.wasReached ? new CommandError(`${error.message} ${whatNow}`, { cause: error }) : error
    } finally {
      progress.stop()
      await source.close()
    }
  })
  return { report, isReplay, text: [describe(report), ...isReplay ? [REPLAYED] : []].join('\n') }

  async function makeKey (signal: AbortSignal) {
    if (source.size === undefined) return undefined
    progress.start('Reading', { unit: 'MB', total: source.size })
    return await contentKey(source, [type, mode, match, `${allOrNothing}`, sheet ?? '', ...map], bytes => {
      signal.throwIfAborted()
      progress.add(bytes)
    })
  }
}

/** Says what an interrupted import leaves, and how to continue. */
function whatNext (dryRun: boolean, continues: boolean): string {
  if (dryRun) return 'Nothing was registered.'
  return `Imported customers are kept. ${continues
    ? 'To continue, run the same command again within 24 hours.'
    : 'If you import the file again, these customers are reported as unchanged, or their numbers as already in use.'}`
}
