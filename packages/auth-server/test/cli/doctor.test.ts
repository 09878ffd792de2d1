import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connectTo, emptyDatabase, onPostgresql, longTimeouts } from '../support/database.js'
import { build } from '../support/helper.js'
import { checkKeys } from '../../src/admin/check-keys.js'
import { loadConfig } from '../../src/config.js'
import { openStores } from '../../src/stores/stores.js'
import { examine, nowhere } from '../support/cli/examine.js'

export const onBothDatabases = true

const production = { ENVIRONMENT: 'production', DEFAULT_AUDIENCE: 'https://api.example', SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789' }

t.test('of an installation that is well it says so, as docs/how-to/check-an-installation.md shows, and changes nothing', async t => {
  const ISSUER = await nowhere()
  const { app, databaseUrl } = await build(t, { ISSUER })
  await app.listen({ host: '127.0.0.1', port: Number(new URL(ISSUER).port) })
  // The server makes the first key of ID tokens after it has begun to listen.
  while ((await app.inject('/.well-known/jwks.json')).json().keys.length < 2) await setTimeout(20)
  const { code, stdout, stderr } = await examine({ ISSUER, DATABASE_URL: databaseUrl })
  const page = readFileSync(new URL('../../../../../docs/how-to/check-an-installation.md', import.meta.url), 'utf8')
  const shown = /\$ npx --no frontdesk-auth doctor\n(.*?)```/s.exec(page)?.[1] ?? ''
  const place = databaseUrl.startsWith('file:') ? databaseUrl.slice(5) : `postgresql://${new URL(databaseUrl).host}${new URL(databaseUrl).pathname}`
  const here = shown.replaceAll('http://localhost:3000', ISSUER).replace('/srv/frontdesk/data/auth.db', place)
    .replace(/(?<=The database .*\n)/, onPostgresql ? '✓ The clock of the database agrees with this machine\'s.\n' : '')
  t.strictSame({ code, stdout, stderr }, { code: 0, stdout: here, stderr: '' })

  const json = await examine({ ISSUER, DATABASE_URL: databaseUrl }, '--json')
  t.equal(json.code, 0)
  const { status, findings } = JSON.parse(json.stdout)
  t.equal(status, 'ok')
  t.same(findings.map(({ sentence }: { sentence: string }) => `✓ ${sentence}`), here.split('\n').filter(line => line.startsWith('✓')))
  t.same([...new Set(findings.map(({ check }: { check: string }) => check))], ['source', 'settings', 'database', ...(onPostgresql ? ['database-clock'] : []), 'clients', 'audit', 'audit-seals', 'keys', 'issuer', 'issuer-clock', 'proxy'])
})

t.test('what is wrong in the database is a sentence each, and the exit code', async t => {
  const ISSUER = await nowhere()
  const { databaseUrl, stores } = await build(t, { ISSUER })
  const sql = async (...statements: string[]) => {
    const connection = await connectTo(databaseUrl)
    for (const statement of statements) await connection.query(statement)
    await connection.close()
  }
  const checks = async (env: Record<string, string> = {}) => {
    const { code, stdout } = await examine({ DATABASE_URL: databaseUrl, ISSUER, ...env })
    return { code, lines: stdout.split('\n') }
  }
  await t.test('callbacks that the rules of registration refuse; an app without any; one that is disabled does not count', async t => {
    await stores.clients.put({ id: 'old', name: 'Old', callbacks: ['https://old.example/cb'], resources: [], defaultScope: '', accessTokenTtl: null, implicit: 'allowed', demo: false })
    await sql("UPDATE client_callback SET uri = 'http://old.example/cb#x' WHERE client_id = 'old'", "DELETE FROM client_callback WHERE client_id = 'app'")
    const { code, lines } = await checks()
    t.equal(code, 1)
    t.ok(lines.includes('✗ The client "old" has the callback "http://old.example/cb#x". The callback has a fragment: the response goes there.'))
    t.ok(lines.includes('! The client "app" has no callback, so it cannot receive responses.'))
    await stores.clients.put({ id: 'none', name: 'None', callbacks: ['https://none.example/cb'], resources: [], grantTypes: [], defaultScope: '', accessTokenTtl: null, implicit: 'off', demo: false })
    const none = (await checks()).lines
    t.match(none[none.indexOf('! The client "none" has no usable grant, so it gets no token.') + 1], /disable it: frontdesk-auth client update none --grant authorization_code$/)
    await stores.clients.remove('none')
    await stores.clients.setDisabled('old', new Date())
    t.equal((await checks()).code, 3)
    await stores.clients.remove('old')
    await stores.clients.remove('app')
    t.ok((await checks()).lines.includes('! No clients are registered, so no token can be requested.'))
  })

  await t.test('another SECRET_KEY, and no key for SIGNING_ALG', async t => {
    const other = await checks({ SECRET_KEY: production.SECRET_KEY })
    t.equal(other.code, 1)
    // After ten seconds, the server makes the key of ID tokens, too.
    t.match(other.lines.join('\n'), /^✗ SECRET_KEY does not decrypt (\d) of \1 signing keys: they were encrypted with another\.$/m)
    const none = await checks({ SIGNING_ALG: 'RS256' })
    t.equal(none.code, 3)
    t.ok(none.lines.includes('! There is no key for RS256 yet.'))
  })

  await t.test('accounts for a demonstration in production, with the command that ends them; a callback on loopback there', async t => {
    await stores.users.add({ id: randomUUID(), username: 'demo', passwordHash: 'x', demo: true })
    await stores.clients.put({ id: 'local', name: 'Local', callbacks: ['http://localhost:3002/cb'], resources: [], defaultScope: '', accessTokenTtl: null, implicit: 'allowed', demo: false })
    const { code, lines } = await checks({ ...production, ISSUER: 'https://id.invalid' })
    t.equal(code, 1)
    const at = lines.indexOf('✗ This database has demo accounts, which production refuses.')
    t.equal(lines[at + 1], '    Run: frontdesk-auth user disable demo')
    t.ok(lines.includes('! The client "local" has the callback "http://localhost:3002/cb", which is for development.'))
  })

  await t.test('migrations of a later release, and of another build', async t => {
    await sql(`INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      SELECT 'later', 'x', '99990101000000_later', started_at, finished_at, 1 FROM _prisma_migrations LIMIT 1`)
    const later = await checks()
    t.equal(later.code, 3)
    t.match(later.lines.join('\n'), /! The database \S+ has migrations that this version does not know: 99990101000000_later\./)
    await sql("DELETE FROM _prisma_migrations WHERE id <> 'later'")
    const other = await checks()
    t.equal(other.code, 1)
    t.match(other.lines.join('\n'), /✗ The database \S+ was made by another build: this build lacks the migration 99990101000000_later\./)
    t.ok(other.lines.includes('? Clients, users and keys were not checked: they are in the database.'))
  })
})

t.test('keys: their age, those that SECRET_KEY_PREVIOUS protects still, and a rotation that does not come', async t => {
  const { stores } = await build(t)
  const stored = await stores.signingKeys.list()
  const look = async (env: Record<string, string>, days: number, idTokens: typeof stored = []) => {
    const found: string[] = []
    for await (const { state, sentence } of checkKeys(stored, idTokens, loadConfig(env), Date.now() + days * 86_400_000)) found.push(`${state}: ${sentence}`)
    return found
  }
  t.same(await look({}, 1), ['ok: The signing key is for ES256 and 1 day old, and SECRET_KEY decrypts every key (1 in all).'])
  t.match(await look({ KEY_ROTATION: '30' }, 40), [/^ok: .* 40 days old/, 'warning: The newest key is 40 days old, but KEY_ROTATION is 30 days: no replica has created another.'])
  t.equal((await look({ KEY_ROTATION: 'off' }, 400)).length, 1)
  const { secretKey } = loadConfig({})
  t.same(await look({ SECRET_KEY: production.SECRET_KEY, SECRET_KEY_PREVIOUS: secretKey }, 0), ['warning: 1 of 1 signing keys are still protected with SECRET_KEY_PREVIOUS.'])
  const locked = stored.map(key => ({ ...key, kid: 'id-token', privateJwe: 'sealed with another secret' }))
  t.same(await look({}, 0, locked), ['wrong: SECRET_KEY does not decrypt 1 of 2 signing keys: they were encrypted with another.'], 'keys of ID tokens')
})

t.test('a database of another build is wrong', async t => {
  const DATABASE_URL = await migrated(t)
  const connection = await connectTo(DATABASE_URL)
  await connection.query("UPDATE _prisma_migrations SET checksum = 'x'")
  await connection.close()
  const { code, stdout } = await examine({ DATABASE_URL, ISSUER: await nowhere() })
  t.equal(code, 1)
  t.match(stdout, /✗ The database \S+ was made by another build: the migration \d+_init differs from this build's\./)
})

t.test('a missing table is reported in a sentence, and the other checks go on', async t => {
  const DATABASE_URL = await migrated(t)
  const connection = await connectTo(DATABASE_URL)
  await connection.query('ALTER TABLE client RENAME TO elsewhere')
  await connection.close()
  const { code, stdout, stderr } = await examine({ DATABASE_URL, ISSUER: await nowhere() })
  t.same([code, stderr], [1, ''])
  t.match(stdout, /\n✗ The database \S+ cannot be used: (no such table: client|relation "client" does not exist)\.\n.*\n\? Clients, users and keys were not checked/)
  t.match(stdout, '\n! The metadata at ')
})

t.test('a database that is new, away or refuses us', async t => {
  const DATABASE_URL = await emptyDatabase(t)
  const ISSUER = await nowhere()
  const fresh = await examine({ DATABASE_URL, ISSUER })
  t.equal(fresh.code, 3)
  t.match(fresh.stdout, onPostgresql ? /^! The database \S+ is empty\.$/m : /^! There is no database \S+ yet\.$/m)
  t.equal((await examine({ DATABASE_URL, ISSUER })).stdout, fresh.stdout, 'nor has that made one')

  const server = onPostgresql ? new URL(DATABASE_URL) : undefined
  const change = (part: 'pathname' | 'password', value: string) => Object.assign(new URL(server ?? ''), { [part]: value }).href
  const rows: Array<[url: string, sentence: string]> = server === undefined
    ? [
        [`postgresql://me:secret@${(await nowhere()).slice(7)}/auth`, 'nothing listens there'],
        ['postgresql://me:secret@db.invalid/auth', 'its name is unknown here'],
        ['file:/dev/null/auth.db', 'the database cannot be in it'],
        [`file:${import.meta.dirname}`, `${import.meta.dirname} is a folder`],
        [`file:${import.meta.filename}`, 'the file is not a database']
      ]
    : [[change('pathname', '/none'), 'there is no database of that name']]
  for (const [url, sentence] of rows) {
    const { code, stdout } = await examine({ DATABASE_URL: url, ISSUER })
    t.equal(code, 1, url)
    t.match(stdout, new RegExp(`^✗ .*: ${sentence}\\.$`, 'm'))
    t.notMatch(stdout, 'secret')
  }
})

async function migrated (t: Test): Promise<string> {
  const url = await emptyDatabase(t)
  await (await openStores(url, longTimeouts)).close()
  return url
}
