import { compareSettings } from './settings.js'

/** Without history and feed, no change is recorded; the second are the defaults. */
const settings = { 'not recorded': { HISTORY_DAYS: '0', FEED_DAYS: '0' }, recorded: {} }

/** Measures the recording of changes for the history and the change feed. */
export default async function recording (targets, subjects, options) {
  const cases = ['sqlite', 'postgresql'].flatMap(database =>
    ['post', 'put'].map(workload => ({ name: `customer-service-${database}`, workload, settings })))
  const rows = await compareSettings('recording: what the record of changes costs', cases, targets, subjects, options)
  return rows.map(row => ({ ...row, workload: `recording ${row.request}` }))
}
