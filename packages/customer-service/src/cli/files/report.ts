import type { ImportReport } from '../../customer/import/report.js'
import { printableSentences } from '@frontdesk/service-kit/printable'

/** Formats a report: the numbers, then a line for each error. */
export function describe (report: ImportReport): string {
  const { lines, registered, updated, unchanged, failed, errors, hasMoreErrors, dryRun, file } = report
  const { warned = 0, warnings = [], changes = [] } = report
  const read = `${lines} ${lines === 1 ? 'record' : 'records'} read`
  const others = updated + unchanged === 0 ? '' : `, ${updated} ${dryRun ? 'can be updated' : 'updated'}, ${unchanged} unchanged`
  return [
    dryRun
      ? `${read}, ${registered} can be registered${others}, ${failed} cannot. Nothing is changed yet.`
      : `${read}, ${registered} registered${others}, ${failed} failed.`,
    ...file?.headingsLine === undefined ? [] : [`The headings are in line ${file.headingsLine}: the lines above them were skipped.`],
    ...errors.flatMap(formatErrors),
    ...hasMoreErrors ? [`${failed - errors.length} more failed: correct these first.`] : [],
    ...warned > 0 ? [`${warned} of them may be mistyped. Check before you import the file:`] : [],
    ...warnings.flatMap(formatErrors),
    ...warned > warnings.length ? [`${warned - warnings.length} more like these.`] : [],
    ...changes.map(formatChange),
    ...changes.length > 0 && updated > changes.length ? [`${updated - changes.length} more would be updated.`] : []
  ].join('\n')
}

function formatErrors ({ line, customerid, customers = [], errors }: ImportReport['errors'][number]): string[] {
  const more = customers.length === 0 ? '' : ` (${customers.join(', ')})`
  return errors.map(({ field, detail }) => printableSentences(
    `line ${line}${customerid === undefined ? '' : ` (customer ${customerid})`}: ${field === '' ? '' : `${field}: `}${detail}${more}`
  ))
}

function formatChange ({ line, customerid, fields }: NonNullable<ImportReport['changes']>[number]): string {
  const values = Object.entries(fields).map(([field, { before, after }]) =>
    `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`)
  return printableSentences(`line ${line} (customer ${customerid}): ${values.join(', ')}`)
}
