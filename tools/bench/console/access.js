import { appIdIn } from './apps.js'
import { userIdIn } from './people.js'

const DAY_MS = 86_400_000
/** Apps that many people use. The first one has everybody, and each of the others a few. */
const POPULAR = 20
/** Roles of teams. */
const TEAMS = 20

/** Statements that add grants, remembered consent, sessions and roles of people. */
export function addAccess (dialect, { users, clients, now }) {
  const { numbers, time, hex, true: yes, false: no } = dialect
  const person = number => userIdIn(dialect, number)
  const everyone = numbers(0, users - 1)
  const apps = ['0', `1 + n % ${Math.min(POPULAR, clients - 1)}`, `(n * 7 + n / 10) % ${clients}`]
  const grants = apps.flatMap((app, index) => [
    `INSERT INTO access_grant (id, nonce_hash, client_id, user_id, response_type, scope, audience, is_silent, epoch, created_at, expires_at)
      SELECT '0000${index}' || substr(${person('n')}, 6), 'bench-${index}-' || n, ${appIdIn(app)}, ${person('n')}, 'code', 'customer:read',
        'https://customers.example', ${index === 1 ? yes : no}, 0, ${time(now - DAY_MS)}, ${time(now + 30 * DAY_MS)} FROM ${everyone}`,
    `INSERT INTO consent (user_id, client_id, audience, scope, epoch, allowed_at)
      SELECT ${person('n')}, ${appIdIn(app)}, 'https://customers.example', 'customer:read', 0, ${time(now - DAY_MS)}
      FROM ${everyone} WHERE n % 2 = 0 ON CONFLICT DO NOTHING`
  ])
  const teams = Array.from({ length: TEAMS }, (_, number) => `team-${number}`)
  return [
    ...grants,
    `INSERT INTO session (id_hash, user_id, sid, epoch, user_agent, auth_time, amr, last_seen_at, expires_at)
      SELECT 'bench-' || n, ${person('n')}, ${hex('n', 12)}, 0, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ${time(now - DAY_MS)}, 'pwd', ${time(now - 60_000)}, ${time(now + DAY_MS)} FROM ${everyone} WHERE n % 3 = 0`,
    ...['employee', 'support', 'auditor', ...teams].map(name => `INSERT INTO role (name, created_at) VALUES ('${name}', ${time(now)})`),
    ...teams.map(name => `INSERT INTO role_scope (role, scope) VALUES ('${name}', '${name}:read')`),
    `INSERT INTO user_role (user_id, role) SELECT ${person('n')}, 'employee' FROM ${everyone}`,
    `INSERT INTO user_role (user_id, role) SELECT ${person('n')}, 'team-' || (n % ${TEAMS}) FROM ${everyone}`,
    `INSERT INTO user_role (user_id, role) SELECT ${person('n')}, CASE WHEN n % 2 = 0 THEN 'support' ELSE 'auditor' END
      FROM ${everyone} WHERE n % 1000 < 2`
  ]
}
