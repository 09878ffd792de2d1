import { readFileSync } from 'node:fs'
import t from 'tap'
import { connectTo, onPostgresql, temporaryDatabase } from '@frontdesk/test-kit/database'
import { build } from '../support/helper.js'
import { openDatabase } from '../../src/stores/open.js'
import { loadConfig } from '../../src/config.js'
import { makeKey } from '../support/issuer.js'
import { nowhere, run, standIn } from '../support/cli/frontdesk-customer.js'

export const onBothDatabases = true

const text = readFileSync(new URL('../../../../../docs/how-to/check-an-installation.md', import.meta.url), 'utf8')
const [key, idTokenKey] = [await makeKey(), await makeKey('id-tokens', 'RS256')]

/** An authorization server that is well. */
const startAuth = async (t: Parameters<typeof standIn>[0]) => {
  const issuer: string = await standIn(t, (request, response) => {
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json`, keys: [key.jwk, idTokenKey.jwk], revoked: [], next: '0', more: false }))
  })
  return issuer
}

t.test('of an installation that is well it says so, as docs/how-to/check-an-installation.md shows, and changes nothing', async t => {
  const ISSUER = await startAuth(t)
  const DATABASE_URL = await temporaryDatabase(t)
  // No service reports its readiness on this port.
  const env = { ISSUER, DATABASE_URL, PORT: '0', AUDIENCE: 'http://localhost:3001' }
  await (await openDatabase(loadConfig(env))).close()
  const shown = /\$ npx --no frontdesk-customer doctor\n(.*?)```/s.exec(text)?.[1] ?? ''
  const place = onPostgresql ? `postgresql://${new URL(DATABASE_URL).host}${new URL(DATABASE_URL).pathname}` : DATABASE_URL.slice(5)
  const here = shown.replaceAll('http://localhost:3000', ISSUER).replace('/srv/frontdesk/data/customers.db', place)
    // A file has no clock of its own.
    .replace(/(?<=The database .*\n)/, onPostgresql ? '✓ The clock of the database agrees with this machine\'s.\n' : '')
  t.strictSame(await run(['doctor'], env), { code: 0, stdout: here, stderr: '' })
  const { code, stdout } = await run(['doctor', '--json'], env)
  const { status, findings } = JSON.parse(stdout)
  t.same([code, status], [0, 'ok'])
  t.same(
    findings.map(({ check, state }: { check: string, state: string }) => `${check} ${state}`),
    [
      'source ok',
      'settings ok',
      'access ok',
      'cors ok',
      'issuer ok',
      'keys ok',
      'algorithms ok',
      'issuer-clock ok',
      'revocations ok',
      'audience unchecked',
      'database ok',
      ...(onPostgresql ? ['database-clock ok'] : []),
      'service-root ok'
    ]
  )
})

t.test('a database that is new, changed, away or refuses us', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  const ISSUER = await startAuth(t)
  const look = async (url = DATABASE_URL) => await run(['doctor'], { DATABASE_URL: url, ISSUER })
  const fresh = await look()
  t.equal(fresh.code, 3)
  t.match(fresh.stdout, onPostgresql ? /^! The database \S+ is empty\.$/m : /^! There is no database \S+ yet\.$/m)
  t.equal((await look()).stdout, fresh.stdout, 'nor has that made one')

  await (await openDatabase(loadConfig({ DATABASE_URL }))).close()
  const connection = await connectTo(DATABASE_URL)
  await connection.query("UPDATE _prisma_migrations SET checksum = 'x'")
  const edited = await look()
  t.equal(edited.code, 1)
  t.match(edited.stdout, /^✗ The database \S+ was made by another build: the migration \d+_init differs from this build's\.$/m)
  await connection.query("UPDATE _prisma_migrations SET migration_name = '9999_other'")
  const other = await look()
  t.equal(other.code, 1)
  t.match(other.stdout, /^✗ The database \S+ was made by another build: this build lacks the migration 9999_other\.$/m)
  await connection.close()

  const away = await look(`postgresql://me:secret@${(await nowhere()).slice(7)}/customers`)
  t.equal(away.code, 1)
  t.match(away.stdout, /^✗ The database postgresql:\/\/127\.0\.0\.1:\d+\/customers cannot be used: nothing listens there\.$/m)
})

t.test('the public address leads to this service, to another one, or nowhere', async t => {
  const ISSUER = await startAuth(t)
  const SERVICE_ROOT = `${await nowhere()}/crm`
  // Another service may run at the usual port.
  const settings = { ISSUER, SERVICE_ROOT, AUDIENCE: 'https://customers.example', PORT: new URL(await nowhere()).port }
  const look = async (env: Record<string, string> = {}) => {
    const { code, stdout } = await run(['doctor'], { ...settings, DATABASE_URL: databaseUrl, ...env })
    return [
      code,
      stdout
        .split('\n')
        .find(line => /(?<!Settings: .*)SERVICE_ROOT|\/crm/.test(line))
        ?.replaceAll(SERVICE_ROOT, 'ROOT')
        .replaceAll(new URL(SERVICE_ROOT).host, 'HOST')
    ]
  }
  const { http, config: { databaseUrl } } = await build(t, settings)
  t.same(await look(), [3, '! The service at ROOT/health/live cannot be reached: nothing listens on HOST.'])
  await http.listen({ host: '127.0.0.1', port: Number(new URL(SERVICE_ROOT).port) })
  t.same(await look(), [0, '✓ The service answers at ROOT, for tokens with the audience https://customers.example.'])
  t.same(await look({ AUDIENCE: 'https://other.example' }), [
    1,
    '✗ The service at ROOT has the audience https://customers.example, but AUDIENCE is https://other.example.'
  ])
  t.same(await look({ SERVICE_ROOT: `${SERVICE_ROOT}/deeper` }), [1, '✗ The service at ROOT/deeper/health/live answers with status 404.'])
  t.same(await look({ SERVICE_ROOT: ISSUER.replace('127.0.0.1', 'localhost') + '/crm' }).then(([code]) => code), 1, 'something else')
})
