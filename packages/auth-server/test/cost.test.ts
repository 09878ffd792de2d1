import t from 'tap'
import { countBytes, countStatements } from './generated/measure.js'
import { countRows, onPostgresql } from './database.js'
import { Browser, build, query } from './helper.js'

const times = (count: number) => Array.from({ length: count }, (_, i) => i)

t.test('a request costs no statement, a consent page one, and an allowed one two; those that come at once share them', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const status = async (expected: number, answers: Array<Promise<{ statusCode: number }>>) => {
    t.same((await Promise.all(answers)).filter(({ statusCode }) => statusCode !== expected), [])
  }
  await app.inject(`/authorize?${query()}`)
  t.equal(await countStatements(() => status(302, times(32).map(() => browser.get(`/authorize?${query()}`)))), 0)
  t.equal(await countStatements(() => status(200, [browser.get(`/consent?${query()}`)])), 1, 'the session')
  const forms = await Promise.all(times(33).map(() => browser.consent()))
  const allow = (transaction: string) => browser.post(`/consent?${query()}`, { transaction, decision: 'allow' })
  t.equal(await countStatements(() => status(303, [allow(forms.pop()!)])), 2, 'the session and the grant')
  t.equal(await countStatements(() => status(303, forms.map(allow))), 2, '32 at once')
})

t.test('a flow writes a session, a grant and the counter of its source, and nothing before somebody signs in', async t => {
  const { app, databaseUrl } = await build(t)
  const rows = async () => await countRows(databaseUrl)
  const before = await rows()
  const browser = new Browser(app)
  await browser.get(`/authorize?${query()}`)
  await browser.consent()
  t.equal(await rows(), before)
  await browser.allow()
  t.equal(await rows(), before + 3)
  await browser.post(`/consent?${query()}`, { transaction: await browser.consent(), decision: 'allow' })
  t.equal(await rows(), before + 4, 'somebody signed in: the grant')
})

t.test('what a request allocates beyond one that does nothing stays small', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const forms = await Promise.all(times(500).map(() => browser.consent()))
  const perRequest = async (request: () => Promise<unknown>) => {
    await Promise.all(times(100).map(request))
    return await countBytes(async () => { for (let i = 0; i < 400; i++) await request() }) / 400
  }
  const nothing = await perRequest(() => browser.get('/health/live'))
  const authorize = await perRequest(() => browser.get(`/authorize?${query()}`)) - nothing
  const consent = await perRequest(() => browser.post(`/consent?${query()}`, { transaction: forms.pop()!, decision: 'allow' })) - nothing
  const limit = onPostgresql ? { authorize: 10_000, consent: 125_000 } : { authorize: 10_000, consent: 95_000 }
  t.ok(authorize < limit.authorize, `authorize: ${Math.round(authorize)} bytes`)
  t.ok(consent < limit.consent, `consent: ${Math.round(consent)} bytes`)
})
