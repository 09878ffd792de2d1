import { dialectOf, fillTables } from '../services/bulk.js'
import { addAccess } from './access.js'
import { addApps } from './apps.js'
import { addEvents } from './events.js'
import { addPeople, makePeople } from './people.js'

const TABLES = [
  'user_account', 'session', 'consent', 'user_role', 'access_grant', 'client', 'client_callback', 'client_secret', 'implicit_use', 'audit'
]

/**
 * How many people, apps and events, and the time of the last event, in milliseconds.
 * @typedef {{ users: number, clients: number, events: number, now: number }} Sizes
 */

/**
 * Adds people, apps and events to the database of auth-server with SQL, which is fast.
 * @param {import('../context.js').Context} context
 * @param {Sizes} sizes
 * @returns the people
 */
export async function fill (context, sizes) {
  const [dialect, people] = [dialectOf(context), makePeople(sizes.users)]
  await fillTables(context, TABLES, [
    ...addPeople(dialect, people, sizes.now),
    ...await addApps(dialect, sizes),
    ...addAccess(dialect, sizes),
    ...addEvents(dialect, sizes)
  ])
  return people
}
