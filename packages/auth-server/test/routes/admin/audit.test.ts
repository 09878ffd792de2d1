import { timeId } from '@frontdesk/service-kit/time-id'
import t from 'tap'
import type { AuditRow } from '../../../src/stores/operation/audit-row.js'
import { buildAdmin } from '../../support/admin/admin.js'

export const onBothDatabases = true

const START = new Date('2030-01-31T12:00:00Z')
const minutes = (count: number) => new Date(START.getTime() + count * 60_000)

/** A row that is `minute` minutes after START. */
function row (minute: number, changes: Partial<AuditRow>): AuditRow {
  const at = minutes(minute)
  return {
    id: timeId(at), at, event: 'grant', outcome: 'code', userId: null, clientId: 'app', source: '192.0.2.1', requestId: `request-${minute}`, details: {}, ...changes
  }
}

t.test('events are found by user, client, event, outcome, address, time and reference, newest first', async t => {
  const { add, as, stores } = await buildAdmin(t)
  const root = await add('root', 'auditor')
  const zoe = await add('Zoë')
  const auditor = await as('root')
  await stores.audit.add([
    row(0, { userId: zoe }),
    row(1, { userId: zoe, event: 'sign-in', outcome: 'wrong', source: '2001:db8::/64' }),
    row(2, { userId: zoe, event: 'sign-in', outcome: 'signed in', clientId: 'other', requestId: 'request-1' }),
    row(3, { userId: 'a1b2c3d4-0000-4000-8000-000000000000', event: 'user disable', outcome: 'done', details: { by: root } })
  ])
  const found = async (query: Record<string, string>) => {
    const answer = await auditor('GET', `/audit?${new URLSearchParams({ since: START.toISOString(), ...query })}`)
    t.equal(answer.statusCode, 200, answer.body)
    return answer.json().items.map(({ at }: { at: string }) => (Date.parse(at) - START.getTime()) / 60_000)
  }
  for (const [query, minutes] of [
    [{}, [3, 2, 1, 0]],
    [{ limit: '2' }, [3, 2]],
    [{ user: 'ZOË' }, [2, 1, 0]],
    [{ user: zoe }, [2, 1, 0]],
    [{ user: 'a1b2c3d4-0000-4000-8000-000000000000' }, [3]],
    [{ client: 'other' }, [2]],
    [{ event: 'sign-in' }, [2, 1]],
    [{ outcome: 'wrong' }, [1]],
    [{ source: '2001:db8::/64' }, [1]],
    [{ reference: 'request-1' }, [2, 1]],
    [{ reference: 'request-1', outcome: 'wrong' }, [1]],
    [{ reference: 'gone' }, []],
    [{ since: '2030-01-31T12:01Z' }, [3, 2, 1]],
    [{ until: '2030-01-31T13:02:00+01:00' }, [1, 0]],
    [{ user: 'Zoë', event: 'sign-in', client: 'app', source: '2001:db8::/64', outcome: 'wrong' }, [1]],
    [{ user: 'Zoë', event: 'user disable' }, []]
  ] as Array<[Record<string, string>, number[]]>) t.same(await found(query), minutes, JSON.stringify(query))

  const [done, signIn] = (await auditor('GET', `/audit?since=${START.toISOString()}`)).json().items
  t.match(done, { username: null, byUsername: 'root', details: { by: root } }, 'of a user who was removed')
  t.match(signIn, { username: 'Zoë', byUsername: null })
})

t.test('pages follow each other, and each row comes once', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('root', 'auditor')
  const auditor = await as('root')
  await stores.audit.add(Array.from({ length: 25 }, (_, minute) => row(minute, { outcome: minute % 2 === 0 ? 'code' : 'implicit' })))
  for (const filter of ['', '&outcome=code']) {
    const seen: string[] = []
    let before = ''
    do {
      const { items, next } = (await auditor('GET', `/audit?since=${START.toISOString()}${filter}&limit=4${before}`)).json()
      t.ok(items.length <= 4)
      seen.push(...items.map(({ requestId }: { requestId: string }) => requestId))
      before = next === null ? '' : `&before=${next}`
    } while (before !== '')
    const all = Array.from({ length: 25 }, (_, minute) => 24 - minute).filter(minute => filter === '' || minute % 2 === 0)
    t.same(seen, all.map(minute => `request-${minute}`))
  }
})

t.test('a query that is not valid is refused, and none fails', async t => {
  const { add, as } = await buildAdmin(t)
  await add('root', 'auditor')
  const auditor = await as('root')
  for (const [query, statusCode] of [
    ['limit=0', 400],
    ['limit=201', 400],
    ['since=yesterday', 400],
    ['since=2030-13-45T00:00Z', 400],
    ['before=x', 400],
    ['unknown=1', 400],
    ['event=a&event=b', 400],
    ['event=nothing', 404],
    ['user=unknown-user', 404],
    ['source=%00', 400],
    ['user=%00', 400],
    ['outcome=%ff', 400],
    [`reference=${"'%20OR%201=1--"}`, 200]
  ] as const) {
    const answer = await auditor('GET', `/audit?${query}`)
    t.equal(answer.statusCode, statusCode, `${query}: ${answer.body}`)
  }
})

t.test('an export has every event that is found, one a line, and ends with the last page', async t => {
  const { add, as, stores } = await buildAdmin(t)
  await add('root', 'auditor')
  const zoe = await add('Zoë')
  const auditor = await as('root')
  await stores.audit.add(Array.from({ length: 2_500 }, (_, second) => row(second / 60, { userId: zoe, outcome: second % 2 === 0 ? 'code' : 'implicit' })))
  const { headers, body } = await auditor('GET', `/audit/export?user=Zo%C3%AB&outcome=code&since=${START.toISOString()}`)
  t.equal(headers['content-type'], 'application/x-ndjson')
  const lines = body.trimEnd().split('\n').map(line => JSON.parse(line))
  t.equal(lines.length, 1_250)
  t.equal(new Set(lines.map(({ id }) => id)).size, 1_250)
  t.match(lines[0], { username: 'Zoë', outcome: 'code', at: '2030-01-31T12:41:38.000Z', details: {} })
  t.equal((await auditor('GET', '/audit/export?reference=gone')).body, '')
  t.equal((await auditor('GET', '/audit/export?user=unknown-user')).statusCode, 404)
})
