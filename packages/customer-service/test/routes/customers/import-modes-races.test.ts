import t from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows } from '../../support/import-rows.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

async function buildReplicas (t: Parameters<typeof build>[0]) {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl, ISSUER: one.issuer.url, JWKS_URL: one.issuer.url })
  const token = one.everything
  return { one, two: { send: (method: string, url: string, options: object = {}) => two.send(method, url, { token, ...options }) } }
}

/** Checks that each change begins with what the change before it left, and the last one with the customer's values. */
async function checkHistories (t: Parameters<typeof build>[0], { db }: Service) {
  const states = new Map<number, object | null>()
  for (const { customerId, before, after } of await db.customerChange.findMany({ orderBy: { seq: 'asc' } })) {
    t.same(before === null ? null : JSON.parse(before), states.get(customerId) ?? null)
    states.set(customerId, after === null ? null : JSON.parse(after))
  }
  const present = await db.customer.findMany()
  t.same(new Map(present.map(({ id, name, age, address }) => [id, { name, age, address }])),
    new Map([...states].filter(([, state]) => state !== null)))
}

for (const mode of ['update', 'upsert']) {
  t.test(`${mode} of the same file twice and single writes at once: each change begins with what the change before it left`, async t => {
    const { one, two } = await buildReplicas(t)
    await importFile(one, HEADER + rows(1, 40))
    for (let round = 0; round < 25; round++) {
      const file = HEADER + rows(1, 40).replaceAll(',33,', `,${round},`)
      const answers = await Promise.all([
        importFile(one, file, { query: `?mode=${mode}` }),
        importFile(one, file, { query: `?mode=${mode}`, key: `${round}` }),
        ...Array.from({ length: 14 }, async (_, lane) => (await two.send(lane % 2 === 0 ? 'DELETE' : 'PATCH', `${PATH}/${lane * 2 + 1}`, {
          ...lane % 2 === 0 ? {} : { form: { customeraddress: `${round}` } }
        })).statusCode)
      ])
      for (const { lines, registered, updated, unchanged, failed } of answers.slice(0, 2)) {
        t.equal(registered + updated + unchanged + failed, lines)
        if (mode === 'upsert') t.equal(failed, 0)
        else t.equal(registered, 0)
      }
      t.ok(answers.slice(2).every(status => status === 204 || status === 404), `${answers.slice(2)}`)
    }
    await checkHistories(t, one)
  })
}

t.test('two imports that match names register each name once, while customers are renamed', async t => {
  const { one, two } = await buildReplicas(t)
  const query = '?mode=upsert&match=name&map=customerid:auto'
  for (let round = 0; round < 25; round++) {
    const file = 'customername,customerage,customeraddress\n' +
      Array.from({ length: 30 }, (_, index) => `name ${index % 2 === 0 ? index : `${round}.${index}`},${round},x\n`).join('')
    const [first, second] = await Promise.all([
      importFile(one, file, { query }),
      importFile(two, file, { query }),
      ...Array.from({ length: 8 }, (_, lane) => two.send('PATCH', `${PATH}/${lane + 1}`, { form: { customername: `name ${round} of ${lane}` } }))
    ])
    t.match([first.failed, second.failed], [0, 0])
  }
  const names = (await one.db.customer.findMany({ select: { name: true } })).map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  await checkHistories(t, one)
})
