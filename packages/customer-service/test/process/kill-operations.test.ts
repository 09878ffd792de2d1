import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { workbookParts, zip } from '@frontdesk/test-kit/workbook'
import { build, PATH } from '../support/helper.js'
import { HEADER, importFile, rows, undo } from '../support/import-rows.js'
import { killRounds } from '../support/process/kill-rounds.js'
import { assertWhole } from '../support/whole-changes.js'

export const onBothDatabases = true

const ROUNDS = 6
const CUSTOMERS = 1_000
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A service that stays, and the settings of another replica on its database, which is killed. */
async function prepare (...[t]: Parameters<typeof build>) {
  const service = await build(t, { AUTH: 'none' })
  return { service, env: { DATABASE_URL: service.config.databaseUrl }, count: async () => await service.db.customer.count() }
}

/** Sends a request to a replica; rejects unless it succeeds. */
async function post (url: string, path: string, body?: RequestInit['body'], headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}${PATH}${path}`, { method: 'POST', headers, duplex: 'half', ...body === undefined ? {} : { body } })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.text()
}

t.test('kill -9 during an undo: the next call finishes it, and no customer is changed twice', async t => {
  const { service, env, count } = await prepare(t)
  const operations: string[] = []
  const begin = async () => { operations.push((await importFile(service, HEADER + rows(1, CUSTOMERS))).operation) }
  await begin()
  await killRounds(t, ROUNDS, {
    env,
    send: (url, round) => post(url, `/operations/${operations[round]}/undo`),
    async check (round) {
      const report = await undo(service, operations[round]!)
      t.match(report, { customers: CUSTOMERS, reverted: CUSTOMERS, skipped: 0 })
      t.equal(await count(), 0)
      t.equal(await service.db.customerChange.count({ where: { operationId: report.operation } }), CUSTOMERS)
      await begin()
    }
  })
  await assertWhole(t, service)
})

t.test('kill -9 during an import that numbers customers: its key finishes it, and each customer has a number once', async t => {
  const { service, env } = await prepare(t)
  const names = (round: number) => Array.from({ length: CUSTOMERS }, (_, index) => `round ${round} name ${index}`)
  const file = (round: number) => `number,name,age,address\n${names(round).map(name => `,${name},33,street\n`).join('')}`
  const query = '?map=customerid:number&map=customerid:auto'
  await killRounds(t, ROUNDS, {
    env,
    send: (url, round) => post(url, `/import${query}`, file(round), { 'content-type': 'text/csv', 'idempotency-key': `k${round}` }),
    async check (round) {
      const report = await importFile(service, file(round), { query, key: `k${round}` })
      t.match(report, { lines: CUSTOMERS, registered: CUSTOMERS, failed: 0 })
      const found = await service.db.customer.findMany({ where: { name: { startsWith: `round ${round} ` } } })
      t.same(found.map(({ name }) => name).toSorted(), names(round).toSorted())
    }
  })
  const { _max: { id } } = await service.db.customer.aggregate({ _max: { id: true } })
  t.equal(id, (ROUNDS + 1) * CUSTOMERS, 'no number is left out')
  await assertWhole(t, service)
})

for (const mode of ['update', 'upsert']) {
  t.test(`kill -9 during an import with mode=${mode}: its key finishes it, each customer changes once, and an undo restores it`, async t => {
    const { service, env, count } = await prepare(t)
    const { db } = service
    const registered = mode === 'upsert' ? CUSTOMERS / 2 : 0
    const updated = CUSTOMERS - registered
    await importFile(service, HEADER + rows(1, updated))
    const query = `?mode=${mode}`
    const file = HEADER + rows(1, CUSTOMERS).replaceAll(',33,', ',44,')
    const ofAge = async (age: number) => await db.customer.count({ where: { age } })
    await killRounds(t, ROUNDS, {
      env,
      send: (url, round) => post(url, `/import${query}`, file, { 'content-type': 'text/csv', 'idempotency-key': `k${round}` }),
      async check (round) {
        const { operation, ...report } = await importFile(service, file, { query, key: `k${round}` })
        t.match(report, { lines: CUSTOMERS, registered, updated, unchanged: 0, failed: 0 })
        t.equal(await ofAge(44), CUSTOMERS)
        t.equal(await db.customerChange.count({ where: { operationId: operation } }), CUSTOMERS)
        t.match(await undo(service, operation), { customers: CUSTOMERS, reverted: CUSTOMERS, skipped: 0 })
        t.same([await ofAge(33), await count()], [updated, updated])
      }
    })
    await assertWhole(t, service)
  })
}

t.test('kill -9 during an import of a workbook: no temporary file is left, and all or nothing is imported', async t => {
  const { service, env, count } = await prepare(t)
  const folder = temporaryFolder(t)
  const file = async (round: number) => {
    const cells = (...values: unknown[]) => `<row>${values.map(value => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('')}</row>`
    const customers = Array.from({ length: CUSTOMERS }, (_, index) => cells(round * CUSTOMERS + index + 1, `name ${index}`, 33, 'street'))
    return await zip(workbookParts({ A: { rows: cells('number', 'name', 'age', 'address') + customers.join('') } }))
  }
  const query = (round: number) => round % 2 === 0 ? '?all_or_nothing=true' : ''
  const headers = (round: number) => ({ 'content-type': XLSX, 'idempotency-key': `k${round}` })
  async function * slowly (bytes: Buffer) {
    for (let at = 0; at < bytes.length; at += 4_096) {
      yield bytes.subarray(at, at + 4_096)
      await setTimeout(5)
    }
  }
  await killRounds(t, ROUNDS, {
    env: { ...env, TMPDIR: folder },
    send: async (url, round) => await post(url, `/import${query(round)}`, ReadableStream.from(slowly(await file(round))), headers(round)),
    async check (round) {
      t.same(readdirSync(folder), [])
      if (round % 2 === 0) t.equal(await count() % CUSTOMERS, 0, 'all or nothing')
      const answer = await service.send('POST', `${PATH}/import${query(round)}`, { form: await file(round), headers: headers(round) })
      t.match(answer.json(), { lines: CUSTOMERS, registered: CUSTOMERS, failed: 0 })
      t.equal(await count(), (round + 1) * CUSTOMERS)
    }
  })
  await assertWhole(t, service)
})

t.test('kill -9 during merges: both customers stay, or one with the history of both', async t => {
  const { service, env } = await prepare(t)
  const CHAINS = 48
  const numbers = (round: number, chain: number) => [1, 2, 3].map(it => 3 * (round * CHAINS + chain) + it) as [number, number, number]
  const chains = (round: number) => Array.from({ length: CHAINS }, (_, chain) => numbers(round, chain))
  const headers = { 'content-type': 'application/json' }
  const begin = async (round: number) => await importFile(service, HEADER + rows(numbers(round, 0)[0], numbers(round, CHAINS - 1)[2]))
  await begin(0)
  await killRounds(t, ROUNDS, {
    env,
    send: async (url, round) => {
      const left = chains(round)
      await Promise.all(Array.from({ length: 8 }, async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const [a, b, c] = next
          await post(url, `/${b}/merge`, JSON.stringify({ from: a }), headers)
          await post(url, `/${c}/merge`, JSON.stringify({ from: b }), headers)
        }
      }))
    },
    async check (round) {
      for (const [a, b, c] of chains(round)) {
        for (const [into, from] of [[b, a], [c, b]]) {
          const { statusCode } = await service.send('POST', `${PATH}/${into}/merge`, { form: JSON.stringify({ from }), headers })
          t.ok([200, 410].includes(statusCode), `${statusCode}`)
        }
        for (const id of [a, b]) t.match((await service.send('GET', `${PATH}/${id}`)).json(), { status: 410, successor: c })
        t.match(await service.read(c), { customername: `name ${c}` })
      }
      await begin(round + 1)
    }
  })
  t.equal(await service.db.customerChange.count({ where: { kind: 'merged' } }), 2 * CHAINS * (ROUNDS + 1), 'each once')
  await assertWhole(t, service)
})
