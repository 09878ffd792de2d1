import type { ImportReport } from '../../customer/import/report.js'
import { printable } from '../printable.js'

/** A report for people: the numbers, then a line for each error. */
export function describe ({ lines, registered, failed, errors, hasMoreErrors, dryRun }: ImportReport): string {
  const read = `${lines} ${lines === 1 ? 'record' : 'records'} read`
  return [
    dryRun ? `${read}, ${registered} can be registered, ${failed} cannot. Nothing is registered yet.` : `${read}, ${registered} registered, ${failed} failed.`,
    ...errors.flatMap(({ line, customerid, errors }) => errors.map(({ field, detail }) => printable(
      `line ${line}${customerid === undefined ? '' : ` (customer ${customerid})`}: ${field === '' ? '' : `${field}: `}${detail}`
    ))),
    ...hasMoreErrors ? [`${failed - errors.length} more failed: correct these first.`] : []
  ].join('\n')
}
