import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { warnOfFewFiles, whyTooFewFiles } from '@frontdesk/service-kit/open-files'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { startIssuer } from '../support/issuer.js'
import { spawnSync } from 'node:child_process'
import { run } from '../support/cli/frontdesk-customer.js'
import { fail, start } from '../support/process/server-process.js'

t.test('settings that are wrong or missing: every sentence on standard error, exit code 1', async t => {
  const { code, errors } = await fail(t, { ENVIRONMENT: 'production', TRUST_PROXY: 'true', LOG_LEVEL: 'loud' })
  t.equal(code, 1)
  const lines = errors.trim().split('\n')
  t.equal(lines.length, 4)
  for (const [index, name] of ['TRUST_PROXY must', 'LOG_LEVEL must', 'ISSUER must', 'AUDIENCE must'].entries()) {
    t.ok(lines[index]?.startsWith(name), name)
  }
})

t.test('a taken port is a clear sentence', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  // as: a server that listens on a port has such an address.
  const { port } = other.address() as AddressInfo
  const { code, errors } = await fail(t, { PORT: String(port), DATABASE_URL: `file:${temporaryFolder(t)}/c.db` })
  t.equal(code, 1)
  t.equal(errors, `PORT ${port} is taken. Stop what listens there, or set PORT to another.\n`)
})

t.test('too few open files are a sentence, before any module is missing; few are a warning', async t => {
  const server = fileURLToPath(new URL('../../bundle/server.js', import.meta.url))
  for (const files of [64, 200]) {
    const { status, stderr } = spawnSync('sh', ['-c', `ulimit -n ${files} && exec "${process.execPath}" "${server}"`], {
      env: { PORT: '0', AUTH: 'none', DATABASE_URL: `file:${temporaryFolder(t)}/c.db` },
      encoding: 'utf8'
    })
    t.equal(status, 1)
    t.match(
      stderr,
      new RegExp(
        `^This process may only open ${files} files and connections, and needs 256 at least\\. Raise the limit: .ulimit -n 65536. .*\\n$`
      )
    )
  }
  t.equal(whyTooFewFiles(256), undefined)
  t.match(warnOfFewFiles(1_024), /^this process may only open 1024 files and connections: .*`ulimit -n 65536`/)
  t.equal(warnOfFewFiles(65_536), undefined)
})

t.test('a database that cannot be opened is a clear sentence', async t => {
  const { code, errors } = await fail(t, { DATABASE_URL: `file:${temporaryFolder(t)}` })
  t.equal(code, 1)
  t.match(errors, /^customer-service cannot start: .*\n$/)
})

t.test('AUTH=none says so loudly; the database is made below INIT_CWD; a second start keeps all data', async t => {
  const folder = temporaryFolder(t)
  for (const round of [1, 2]) {
    const { url, log, child, exit } = await start(t, { INIT_CWD: folder, DATABASE_URL: 'file:./deep/er/customers.db' })
    t.ok(
      log().some(line => JSON.parse(line).level === 40 && /AUTH=none: anyone/.test(line)) ||
        (await once(child.stdout ?? child, 'data'), log().some(line => /AUTH=none: anyone/.test(line)))
    )
    const body = new URLSearchParams({ customerid: '1', customername: 'a', customerage: '1', customeraddress: 'b' })
    t.equal((await fetch(`${url}/rest/qa/customer`, { method: 'POST', body })).status, round === 1 ? 201 : 409)
    child.kill('SIGINT')
    t.same(await exit, [0, null], 'Ctrl-C stops it cleanly')
  }
})

t.test('in production no folder is created, and a database that was is said at warn, in readiness and by doctor, until the next start', async t => {
  const folder = temporaryFolder(t)
  const production = { ENVIRONMENT: 'production', AUTH: 'none' }
  const { code, errors } = await fail(t, { ...production, DATABASE_URL: `file:${folder}/sub/c.db` })
  t.equal(code, 1)
  t.match(errors, `There is no folder ${folder}/sub for the database, and in production none is created. The nearest that exists is ${folder}. Correct`)
  const env = { ...production, DATABASE_URL: `file:${folder}/c.db` }
  for (const isNew of [true, false]) {
    const { url, child, exit, log } = await start(t, env)
    const ready = await fetch(`${url}/health/ready`)
    t.equal(ready.status, 200)
    const { checks: { created } } = await ready.json() as { checks: Record<string, string> }
    t.equal(created, isNew ? 'c.db was created by this start; if it should have existed, correct DATABASE_URL or DATA_DIR' : undefined)
    const { stdout } = await run(['doctor'], { ...env, PORT: new URL(url).port })
    t.equal(stdout.includes(`! The service at ${url} reports "created": c.db was created`), isNew)
    child.kill('SIGTERM')
    await exit
    t.same(new Set(log().map(line => JSON.parse(line).service)), new Set(['customer-service']), 'each line names the service')
    const warning = log().find(line => line.includes('was created by this start'))
    t.same(warning && JSON.parse(warning).database, isNew ? `${folder}/c.db` : undefined)
  }
})

t.test('a variable that resembles a setting is said at warn, in readiness and by doctor', async t => {
  const env = { AUTH: 'none', DATABASE_URL: `file:${temporaryFolder(t)}/c.db`, AUDENCE: 'https://api.example', FEED_DAY: '1' }
  const says = ['AUDENCE is not a setting. Did you mean AUDIENCE?', 'FEED_DAY is not a setting. Did you mean FEED_DAYS?']
  const { url, child, exit, log } = await start(t, env)
  t.match(await (await fetch(`${url}/health/ready`)).json(), { status: 'ok', checks: { settings: says.join(' ') } })
  const { stdout } = await run(['doctor'], { ...env, PORT: new URL(url).port })
  for (const sentence of says) t.equal(stdout.split(`! ${sentence}\n    Rename the variable, or remove it.`).length, 2)
  t.notMatch(stdout, ' reports ')
  child.kill('SIGTERM')
  await exit
  t.same(log().filter(line => says.some(it => line.includes(it))).map(line => JSON.parse(line).level), [40, 40])
})

t.test('it listens when it has the keys, so that a load balancer can send it requests from the first moment', async t => {
  const issuer = await startIssuer(t, response => {
    setTimeout(
      () =>
        response
          .setHeader('Content-Type', 'application/json')
          .end(JSON.stringify({ keys: issuer.state.keys, revoked: [], next: '0', more: false })),
      300
    )
  })
  const { url } = await start(t, { AUTH: 'required', ISSUER: issuer.url, DATABASE_URL: `file:${temporaryFolder(t)}/c.db` })
  t.equal((await fetch(`${url}/health/ready`)).status, 200)
})

t.test('it listens without keys where the authorization server does not answer', async t => {
  const issuer = await startIssuer(t, () => {})
  const { url } = await start(t, { AUTH: 'required', ISSUER: issuer.url, DATABASE_URL: `file:${temporaryFolder(t)}/c.db` })
  t.equal((await fetch(`${url}/health/ready`)).status, 503)
})
