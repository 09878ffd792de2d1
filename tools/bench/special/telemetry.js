import { freePort } from '@frontdesk/test-kit/free-port'
import { compareSettings } from './settings.js'

/** Measures the cost of logs and metrics, for the cheapest request of each service. */
export default async function telemetry (targets, subjects, options) {
  const settings = {
    'with neither': { LOG_LEVEL: 'silent' },
    'with the log': {},
    'with both': { METRICS_PORT: String(await freePort()) }
  }
  const rows = await compareSettings('telemetry: what the log and the metrics cost', [
    { name: 'auth-server-sqlite', workload: 'authorize', settings },
    { name: 'customer-service-sqlite', workload: 'get', settings }
  ], targets, subjects, options)
  return rows.map(row => ({ ...row, workload: `telemetry ${row.request}` }))
}
