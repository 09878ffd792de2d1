import { appIdIn } from './apps.js'
import { userIdIn } from './people.js'

/** For how long there are events: those that are kept by default. */
const PERIOD_MS = 90 * 86_400_000

/** Events of a seal. */
const SEALED_ROWS = 500

const BY_ADMINISTRATOR = { by: '00000001-0000-4000-8000-000000000001' }

/** Of a hundred events: how many are of a kind, whom it names, and the rank of its rows, 1 unless it is another. */
const EVENTS = [
  { share: 40, event: 'token', outcome: 'refresh_token', about: ['user', 'client'], details: { scope: 'customer:read' } },
  { share: 5, event: 'token', outcome: 'client_credentials', about: ['client'], details: { scope: 'customer:read' } },
  { share: 24, event: 'grant', outcome: 'authorization_code', about: ['user', 'client'], details: { scope: 'customer:read' } },
  { share: 15, event: 'sign-in', outcome: 'signed in', about: ['user', 'client'] },
  { share: 3, event: 'sign-in', outcome: 'wrong', about: ['user', 'client'], rank: 0 },
  { share: 1, event: 'sign-in', outcome: 'throttled', about: ['client'], rank: 0 },
  { share: 3, event: 'sign-out', outcome: 'done', about: ['user'] },
  { share: 3, event: 'refusal', outcome: 'invalid_request', about: ['client'], details: { reason: 'no redirect_uri' }, rank: 0 },
  { share: 1, event: 'revocation', outcome: 'person', about: ['user', 'client'] },
  { share: 1, event: 'password', outcome: 'changed', about: ['user'] },
  { share: 1, event: 'profile', outcome: 'changed', about: ['user'], details: { attributes: ['name'] } },
  { share: 1, event: 'mail', outcome: 'sent', about: ['user'] },
  { share: 1, event: 'registration', outcome: 'registered', about: ['client'], rank: 0 },
  { share: 1, event: 'user update', outcome: 'done', about: ['user'], details: BY_ADMINISTRATOR, rank: 2 }
]

/** The reference of a request with the event of a number; two events share one. */
export const referenceOf = number => `bench-${Math.floor(number / 2)}`

/** The time of the event with a number, in milliseconds. */
const timeOf = (number, { events, now }) => now - (events - number) * Math.floor(PERIOD_MS / events)

/** The id of its row. */
export function eventId (number, sizes) {
  const [ms, end] = [timeOf(number, sizes), number].map(it => it.toString(16).padStart(12, '0'))
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${end}`
}

/** Statements that add events, with times that end now, their count and seals. */
export function addEvents (dialect, { users, clients, events, now }) {
  const { numbers, time, hex, false: no } = dialect
  const [begin, first] = [0, 1].map(number => timeOf(number, { events, now }))
  // A third of what people do is done by a thousand of them; half of what apps do, by the first one.
  const active = Math.min(users, 1_000)
  const person = `CASE WHEN n / 100 % 3 = 0 THEN n / 300 % ${active} ELSE (n * 7919 + n / 1000) % ${users} END`
  const app = `CASE WHEN n / 100 % 2 = 0 THEN 0 ELSE (n * 31 + n / 1000) % ${clients} END`
  const ms = hex('ms', 12)
  return [
    `INSERT INTO audit (id, at, event, outcome, user_id, client_id, source, request_id, details, rank, position)
      SELECT substr(${ms}, 1, 8) || '-' || substr(${ms}, 9, 4) || '-7000-8000-' || ${hex('n', 12)}, ${time('ms')},
        ${choose(({ event }) => `'${event}'`)}, ${choose(({ outcome }) => `'${outcome}'`)},
        ${choose(({ about }) => about.includes('user') ? userIdIn(dialect, 'person') : 'NULL')},
        ${choose(({ about }) => about.includes('client') ? appIdIn('app') : 'NULL')},
        '10.' || n / 5 % 200 || '.' || n / 3 % 250 || '.' || n % 250, 'bench-' || n / 2,
        ${choose(({ details = {} }) => `'${JSON.stringify(details)}'`)}, ${choose(({ rank = 1 }) => rank)}, n + ${SEALED_ROWS}
      FROM (SELECT n, n * 37 % 100 AS part, ${begin} + n * ${first - begin} AS ms, ${person} AS person, ${app} AS app
        FROM ${numbers(1, events)}) AS made`,
    'UPDATE audit_count SET total = (SELECT COUNT(*) FROM audit), last = (SELECT MAX(position) FROM audit)',
    // Seals that nothing verifies, so that the service does not seal these events while it is measured.
    `INSERT INTO audit_seal (number, first, last, rows, sum, sealed_at, previous, mac, removed, removed_sum, starts, state)
      SELECT n, n * ${SEALED_ROWS} + 1, (n + 1) * ${SEALED_ROWS}, ${SEALED_ROWS}, 'sum', ${time(now)}, 'mac', 'mac', 0, '0', ${no}, 'state'
      FROM ${numbers(1, Math.floor(events / SEALED_ROWS))}`
  ]
}

/** SQL that chooses by the part of a hundred that a row is. */
function choose (value) {
  let end = 0
  const cases = EVENTS.map(event => {
    end += event.share
    return `WHEN part < ${end} THEN ${value(event)}`
  })
  return `CASE ${cases.join(' ')} END`
}
