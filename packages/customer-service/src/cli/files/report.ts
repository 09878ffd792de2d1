import type { ImportReport } from '../../customer/import/report.js'
import { printableSentences } from '@frontdesk/service-kit/printable'

/** Formats a report: the numbers, then a line for each error. */
export function describe ({ lines, registered, failed, errors, hasMoreErrors, warned = 0, warnings = [], dryRun }: ImportReport): string {
  const read = `${lines} ${lines === 1 ? 'record' : 'records'} read`
  return [
    dryRun
      ? `${read}, ${registered} can be registered, ${failed} cannot. Nothing is registered yet.`
      : `${read}, ${registered} registered, ${failed} failed.`,
    ...errors.flatMap(formatErrors),
    ...hasMoreErrors ? [`${failed - errors.length} more failed: correct these first.`] : [],
    ...warned > 0 ? [`${warned} of them may be mistyped. Check before you import the file:`] : [],
    ...warnings.flatMap(formatErrors),
    ...warned > warnings.length ? [`${warned - warnings.length} more like these.`] : []
  ].join('\n')
}

function formatErrors ({ line, customerid, errors }: ImportReport['errors'][number]): string[] {
  return errors.map(({ field, detail }) => printableSentences(
    `line ${line}${customerid === undefined ? '' : ` (customer ${customerid})`}: ${field === '' ? '' : `${field}: `}${detail}`
  ))
}
