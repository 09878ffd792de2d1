import t from 'tap'
import { PATH } from '../../support/helper.js'
import { buildTwo } from '../../support/two-replicas.js'
import { assertWhole } from '../../support/whole-changes.js'

export const onBothDatabases = true

const [LANES, ROUNDS, LINES] = [16, 25, 5]

t.test('imports that number customers race each other, registrations and removals: no number is given twice, no customer is lost', async t => {
  const [one, two] = await buildTwo(t)
  const { db, issuer } = one
  // A caller is limited to a few imports at once.
  const tokens = await Promise.all(Array.from({ length: LANES }, async (_, lane) =>
    await issuer.mint({ claims: { sub: `person ${lane}`, client_id: `app ${lane}` } })))
  const importLines = async ({ send }: typeof two, lane: number, name: string, options: { query: string, key: string | null }) => {
    const headers = { 'content-type': 'text/csv', ...options.key === null ? {} : { 'idempotency-key': options.key } }
    const form = `number,name,age,address\n${Array.from({ length: LINES }, (_, index) => `,${name} ${index},33,x\n`).join('')}`
    const url = `${PATH}/import?map=customerid:number&map=customerid:auto${options.query}`
    return (await send('POST', url, { form, headers, token: tokens[lane]! })).json()
  }
  let expected = 0
  for (let round = 0; round < ROUNDS; round++) {
    const last = (await db.customer.aggregate({ _max: { id: true } }))._max.id ?? 0
    const changes = await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
      const name = `round ${round} lane ${lane}`
      if (lane % 8 === 6) return (await one.send('DELETE', `${PATH}/${last - lane}`)).statusCode === 204 ? -1 : 0
      // A number that an import may be about to give.
      if (lane % 8 === 7) return await one.register(last + 2 * lane, name).then(() => 1, () => 0)
      const query = lane % 4 < 2 ? '' : '&all_or_nothing=true'
      const replicas = lane % 3 > 0 ? [lane % 2 === 0 ? one : two] : [one, two]
      const key = lane % 3 > 0 ? null : name.replaceAll(' ', '-')
      const reports = await Promise.all(replicas.map(it => importLines(it, lane, name, { query, key })))
      // With the same key on both replicas, one of them can be refused while the other one runs.
      const done = reports.filter(({ status }) => status !== 409)
      t.ok(done.length > 0)
      for (const report of done) t.match(report, { registered: LINES, failed: 0 })
      return LINES
    }))
    expected += changes.reduce<number>((sum, it) => sum + it, 0)
    const names = (await db.customer.findMany()).map(({ name }) => name)
    t.same([names.length, new Set(names).size], [expected, expected])
  }
  const registered = (await db.customerChange.findMany({ where: { kind: 'registered' } })).map(({ customerId }) => customerId)
  t.equal(new Set(registered).size, registered.length, 'no number twice')
  await assertWhole(t, one)
})
