import { word } from '../services/names.js'
import { inClone } from '../services/place.js'
import { CLIENT } from '../services/registrations.js'

const [DAY_MS, WEEK_MS] = [86_400_000, 7 * 86_400_000]

/** Of this many apps, one uses the implicit grant. */
const IMPLICIT = 10
/** Weeks with uses of the implicit grant. */
const WEEKS = 26

/** The app with a number. */
export function appOf (number) {
  const [kind] = ['web', 'mobile', 'desktop', 'service'].slice(number % 4)
  return { id: `app-${String(number).padStart(5, '0')}`, name: `${word(number * 7 % 8_000)} ${kind}` }
}

/** SQL of its id, from SQL of the number. */
export const appIdIn = number => `'app-' || substr(CAST(100000 + ${number} AS text), 2)`

/** Statements that add apps, copies of the target's first client, with callbacks, secrets and uses of the implicit grant. */
export async function addApps ({ numbers, time }, { clients: count, now }) {
  const { client } = await import(inClone('packages/auth-server/dist/src/generated/tables.js'))
  const { isoWeek } = await import(inClone('packages/auth-server/dist/src/stores/operation/implicit-use-counter.js'))
  const { columns, columnNames } = await import(inClone('packages/database/dist/src/table.js'))
  const names = Array.from({ length: count }, (_, number) => `(${number}, '${appOf(number).name}')`)
  const weeks = Array.from({ length: WEEKS }, (_, index) => now - index * WEEK_MS)
    .map(at => `SELECT n, '${isoWeek(new Date(at))}' AS week, ${time(at)} AS used_at FROM ${numbers(0, count - 1)}`)
  const copy = columns(client.columns, 'client', {
    id: appIdIn('made.n'),
    name: 'made.name',
    registeredBy: "CASE WHEN made.n % 100 = 50 THEN 'open' ELSE client.registered_by END",
    implicit: `CASE WHEN made.n % ${IMPLICIT} = 0 THEN 'allowed' ELSE 'off' END`,
    disabledAt: 'CASE WHEN made.n % 60 = 59 THEN client.created_at END'
  })
  return [
    `INSERT INTO client (${columnNames(client.columns)}) WITH made (n, name) AS (VALUES ${names.join(',')})
      SELECT ${copy} FROM client CROSS JOIN made WHERE client.id = '${CLIENT}'`,
    `INSERT INTO client_callback (client_id, uri) SELECT ${appIdIn('n')}, 'https://app' || n || '.example/callback'
      FROM ${numbers(0, count - 1)}`,
    `INSERT INTO client_secret (client_id, slot, hash, created_at) SELECT ${appIdIn('n')}, 1, 'x' || n, ${time(now - DAY_MS)}
      FROM ${numbers(0, count - 1)} WHERE n % 4 = 3`,
    `INSERT INTO implicit_use (client_id, week, uses, first_at, last_at)
      SELECT ${appIdIn('n')}, week, 1 + n * 7 % 1000, used_at, used_at FROM (${weeks.join(' UNION ALL ')}) AS used WHERE n % ${IMPLICIT} = 0`
  ]
}
