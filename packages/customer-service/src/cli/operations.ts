import { command, noun } from '@frontdesk/service-kit/cli/command'
import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { printableSentences } from '@frontdesk/service-kit/printable'
import type { UndoReport } from '../customer/undo/report.js'
import { SERVICE_URL } from './files.js'

/** Most operations that `operations list` prints. */
const MAX_LISTED = 1_000

const DRY_RUN = { '--dry-run': 'only report what would happen' } as const

const loadCalls = async () => await import('./files/operations.js')

const printed = {
  json: 'the report',
  text: describe,
  exitCode: ({ skipped }: UndoReport) => skipped > 0 ? 1 : 0
} as const

const all = command('list', {
  says: 'List imports and other changes of many customers, newest first.',
  options: {
    '--url <url>': SERVICE_URL,
    '--limit <operations>': { says: 'how many to print', parse: wholeNumber(MAX_LISTED), default: 50 }
  },
  json: 'the operations with all fields',
  run: async ({ url, limit }) => await (await loadCalls()).listOperations(url, limit),
  fields: ({ items }) => items,
  text: ({ items }) => items.length === 0
    ? 'There are no operations.'
    : list(['ID', 'KIND', 'BEGAN', 'APP', 'CUSTOMERS', 'UNDONE'], items.map(it =>
      [it.operation, it.kind, it.at, it.client_id ?? '', `${it.customers}`, it.undone === undefined ? '' : 'yes'])),
  note: ({ hasMore }) => hasMore ? 'There are more operations. To print them, raise --limit.' : undefined
})

const undoOperation = command('undo <operation>', {
  says: 'Undo an operation: each of its customers gets its values from before.',
  options: { '--url <url>': SERVICE_URL, ...DRY_RUN },
  more: 'Customers that were changed later are skipped. If it was interrupted, run it\nagain: it continues. Exit code 1: some customers were skipped.',
  run: async ({ operation, url, dryRun = false }) => await (await loadCalls()).undoOperation(url, operation, dryRun),
  ...printed
})

/** `frontdesk-customer operations`: imports and other changes of many customers, over HTTP. */
export const operations = noun('operations', 'List or undo changes of many customers, with the sign-in of "login".', [all, undoOperation])

/** `frontdesk-customer undo`: undoes what an app did since a time, over HTTP. */
export const undo = command('undo', {
  says: 'Undo what an app did since a time, with the sign-in of "login".',
  options: {
    '--since <time>': { says: 'start time, such as 2030-12-31T09:00:00Z', required: true },
    '--client-id <id>': 'client_id of the app. Default: that of your sign-in',
    '--url <url>': SERVICE_URL,
    ...DRY_RUN
  },
  more: 'Skips customers that someone changed later with another app. To undo another app\nthan that of your sign-in, you need the scope customer:undo. If it was\ninterrupted, run it again: it continues. Exit code 1: some customers were\nskipped.',
  run: async ({ since, clientId, url, dryRun = false }) => await (await loadCalls()).undoApp(url, { since, clientId, dryRun }),
  ...printed
})

/** Formats a report: the numbers, then a line for each skipped customer. */
function describe ({ operation, customers, reverted, skipped, reasons, hasMoreReasons, dryRun }: UndoReport): string {
  const skips = reasons.map(({ customerid, detail, at, sub }) => {
    const by = at === undefined ? '' : ` (${at}${sub == null ? '' : `, ${sub}`})`
    return printableSentences(`${customerid === undefined ? '' : `customer ${customerid}: `}${detail}${by}`)
  })
  return [
    dryRun
      ? `${customers} changed, ${reverted} can be reverted, ${skipped} cannot. Nothing is reverted yet.`
      : `${customers} changed, ${reverted} reverted, ${skipped} skipped.`,
    ...skips,
    ...hasMoreReasons ? [`${skipped - reasons.length} more were skipped.`] : [],
    ...operation === undefined ? [] : [howToUndo(operation)]
  ].join('\n')
}

/** The command that undoes an operation, as a sentence. */
export function howToUndo (operation: string): string {
  return `To undo this: frontdesk-customer operations undo ${operation}`
}
