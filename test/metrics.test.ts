import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { freePort, root, startStack, type Name } from './support/stack.js'
import { authorizationUrl, Person } from './support/person.js'
import { read } from './support/sources.js'

const METRICS = /\b(?:http|frontdesk|process|nodejs)_[a-z0-9_]+/g
const ports = { 'auth-server': await freePort(), 'customer-service': await freePort() }

const stack = await startStack(t, [])
for (const [name, port] of Object.entries(ports)) await stack.start(name as Name, { METRICS_PORT: `${port}` })
const person = new Person(stack)
const location = await person.allow(authorizationUrl(stack, { scope: 'customer:read' }), { username: 'demo', password: 'demo' })
const token = new URLSearchParams(location.split('#')[1]).get('access_token')
const wrong = new Person(stack)
await wrong.submit(await wrong.open(authorizationUrl(stack)), { decision: 'allow', username: 'nobody', password: 'wrong' })
await person.request(`${stack.issuer}/authorize?client_id=nonesuch`)
for (const [path, authorization] of [['1', `Bearer ${token}`], ['2', `Bearer ${token}`], ['3', 'Bearer a.b.c']] as const) {
  await fetch(`${stack.address('customer-service')}/rest/qa/customer/${path}`, { headers: { authorization } })
}
await fetch(`${stack.address('customer-service')}/nowhere/at/all`)

const auth = await scrape('auth-server')
const customers = await scrape('customer-service')

await t.test('what happened was counted', async t => {
  for (const line of [
    'frontdesk_sign_ins_total{outcome="signed in"} 1',
    'frontdesk_sign_ins_total{outcome="wrong"} 1',
    'frontdesk_access_tokens_issued_total{grant="implicit",client="desk"} 1',
    'frontdesk_refusals_total{error="invalid_client"} 1',
    'frontdesk_signing_keys{state="signing"} 1',
    'http_request_duration_seconds_count{method="POST",route="/consent",status="303"} 1',
    'http_request_duration_seconds_count{method="POST",route="/consent",status="403"} 1'
  ]) t.match(auth, `\n${line}\n`, line)
  for (const line of [
    'frontdesk_token_checks_total{outcome="accepted"} 1',
    'frontdesk_token_checks_total{outcome="remembered"} 1',
    'frontdesk_token_checks_total{outcome="refused"} 1',
    'frontdesk_jwks_fetches_total{outcome="ok"} 1',
    'http_request_duration_seconds_count{method="GET",route="/rest/qa/customer/:customerid",status="404"} 2',
    'http_request_duration_seconds_count{method="GET",route="none",status="404"} 1'
  ]) t.match(customers, `\n${line}\n`, line)
})

await t.test('metrics have their own port and no paths, and a port that is taken is reported', async t => {
  for (const name of ['auth-server', 'customer-service'] as const) t.equal((await fetch(`${stack.address(name)}/metrics`)).status, 404)
  t.equal((await fetch(`http://127.0.0.1:${ports['auth-server']}/`)).status, 404)
  t.notMatch(customers, 'nowhere')
  const env = { PORT: '0', METRICS_PORT: `${ports['auth-server']}`, AUTH: 'none', DATABASE_URL: `file:${join(stack.dataDir, 'other.db')}` }
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'packages/customer-service/dist/bundle/server.js')], {
    env, encoding: 'utf8'
  })
  t.equal(status, 1)
  t.match(stderr, `METRICS_PORT ${ports['auth-server']} is taken. Stop what listens there, or set METRICS_PORT to another.\n`)
})

await t.test('the documentation names every metric, and the dashboard and the alerts only such as there are', async t => {
  const families = [...`${auth}${customers}`.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!)
  const document = read('docs/operations/monitoring.md')
  const rows = [...document.matchAll(/^\| `([a-z]+_[a-z_]+)` \|/gm)].map(([, name]) => name!)
  // Those of PostgreSQL have no row with SQLite, but are announced.
  t.same(rows.sort(), [...new Set(families)].filter(name => !/^(process|nodejs)_/.test(name)).sort())
  for (const file of ['deploy/grafana/frontdesk.json', 'deploy/prometheus/alerts.yml', 'docs/operations/monitoring.md']) {
    const used = new Set(
      [...read(file).matchAll(METRICS)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')).filter(name => !name.endsWith('_'))
    )
    t.ok(used.size > 4, `${file} names ${used.size}`)
    t.same([...used].filter(name => !families.includes(name)), [], file)
  }
})

await t.test('every metric is on the dashboard or in an alert', async t => {
  const families = [...`${auth}${customers}`.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!).filter(name => !/^(process|nodejs)_/.test(name))
  const shown = ['deploy/grafana/frontdesk.json', 'deploy/prometheus/alerts.yml'].map(file => read(file)).join('')
  const used = new Set([...shown.matchAll(METRICS)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')))
  t.ok(families.length > 20)
  t.same([...new Set(families)].filter(name => !used.has(name)), [])
})

async function scrape (name: keyof typeof ports): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${ports[name]}/metrics`)).text()
}
