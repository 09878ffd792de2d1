import t, { type Test } from 'tap'
import { countStatements, stopTime } from '@frontdesk/test-kit/cost'
import { hashRefreshToken } from '../../src/grants/refresh-token-form.js'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { connectTo, onPostgresql, spendEarlier } from '../support/database.js'
import { Browser, build } from '../support/helper.js'

export const onBothDatabases = true

/** An app with refresh tokens, and how it uses one. */
async function prepare (t: Test) {
  const built = await build(t)
  const { app, stores } = built
  await stores.clients.put(codeClient())
  const browser = new Browser(app)
  await browser.allow(codeQuery({ scope: 'x' }))
  const tokens: string[] = []
  for (let count = 0; count < 8; count++) {
    const code = queryOf(await browser.get(`/consent?${codeQuery({ scope: 'x' })}`)).code ?? ''
    tokens.push((await post(app, '/token', exchangeForm(code))).json().refresh_token)
  }
  const refresh = (token: string, changes: Record<string, string> = {}) =>
    post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, ...changes }))
  return { ...built, tokens, refresh }
}

t.test('requests for too much are refused without their neighbours paying for it, and the token still works', async t => {
  stopTime(t)
  const { tokens, refresh } = await prepare(t)
  const [first = '', second = '', ...others] = tokens
  const statements = await countStatements(async () => {
    const answers = await Promise.all([refresh(first, { scope: 'y' }), refresh(second, { resource: 'https://other.example' }), ...others.map(it => refresh(it))])
    t.same(answers.map(({ statusCode }) => statusCode), [400, 400, ...others.map(() => 200)])
    t.same(answers.slice(0, 2).map(it => it.json().error), ['invalid_scope', 'invalid_target'])
  })
  t.ok(statements <= 6, `${statements}: what the two tokens carry, and what was issued, and one transaction for the rest`)
  t.equal((await refresh(first, { scope: 'x' })).statusCode, 200)
  t.equal((await refresh(second)).statusCode, 200)
})

t.test('a spent token is recognized, whatever it asks for', async t => {
  const { tokens: [token = ''], refresh, databaseUrl } = await prepare(t)
  const next = (await refresh((await refresh(token)).json().refresh_token)).json().refresh_token as string
  await spendEarlier(databaseUrl, token)
  t.equal((await refresh(token, { scope: 'y' })).json().error, 'invalid_grant')
  t.equal((await refresh(next)).json().error, 'invalid_grant', 'its use ended the family')
})

if (onPostgresql) {
  t.test('a locked token fails alone, within a second; the connections stay open', async t => {
    const { tokens, refresh, databaseUrl } = await prepare(t)
    const operator = await connectTo(databaseUrl)
    t.teardown(() => operator.close())
    const connections = async () => (await operator.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'frontdesk-auth' AND datname = current_database() ORDER BY pid"))
      .map(({ pid }) => pid)
    const before = await connections()
    await operator.query('BEGIN')
    await operator.query(`SELECT 1 FROM refresh_token WHERE hash = '${hashRefreshToken(tokens[3]!).hash}' FOR UPDATE`)
    const began = Date.now()
    const answers = await Promise.all(tokens.map(it => refresh(it)))
    t.same(answers.map(({ statusCode }) => statusCode), tokens.map((_, i) => i === 3 ? 503 : 200))
    t.ok(Date.now() - began < 1_200, `${Date.now() - began} ms`)
    await operator.query('COMMIT')
    const after = await connections()
    t.same(before.filter(pid => !after.includes(pid)), [])
    t.equal((await refresh(tokens[3]!)).statusCode, 200)
  })
}
