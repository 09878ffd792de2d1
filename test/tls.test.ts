import { query, sql } from '@frontdesk/database/sql'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import t from 'tap'
import { load } from './support/load.js'
import { Postgres } from './support/stack.js'

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-tls-'))
const server = await Postgres.create()
t.teardown(async () => {
  await server.remove()
  await rm(folder, { recursive: true })
})
// Two unknown certificate authorities; one of them signs the certificate of the server.
const makeAuthority = () =>
  generate([{ name: 'commonName', value: 'Unknown authority' }], {
    keyType: 'ec', algorithm: 'sha256', extensions: [{ name: 'basicConstraints', cA: true, critical: true }]
  })
const [authority, stranger] = [await makeAuthority(), await makeAuthority()]
const { cert: certificate, private: key } = await generate([{ name: 'commonName', value: 'PostgreSQL' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  ca: { key: authority.private, cert: authority.cert },
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }]
})
const files = { right: join(folder, 'right.pem'), wrong: join(folder, 'wrong.pem'), key: join(folder, 'key.pem') }
await writeFile(files.right, authority.cert)
await writeFile(files.wrong, stranger.cert)
await writeFile(files.key, key)

/** Opens the database of a service by these settings, and closes it. */
const services: Record<string, (env: Record<string, string>) => Promise<void>> = {
  'auth-server': async env => {
    const { loadConfig } = await load<typeof import('../packages/auth-server/src/config.js')>('auth-server', 'config.js')
    const { openStores } = await load<typeof import('../packages/auth-server/src/stores/stores.js')>('auth-server', 'stores/stores.js')
    const { databaseUrl, database } = loadConfig(env)
    const stores = await openStores(databaseUrl, database)
    await stores.ping().finally(stores.close)
  },
  'customer-service': async env => {
    const { loadConfig } = await load<typeof import('../packages/customer-service/src/config.js')>('customer-service', 'config.js')
    const { openDatabase } = await load<typeof import('../packages/customer-service/src/stores/open.js')>(
      'customer-service',
    'stores/open.js'
    )
    const { stores, close } = await openDatabase(loadConfig(env))
    await stores.ping().finally(close)
  }
}

const onAddress = (name: string) => new URL(`/${name.replace('-', '_')}`, server.url).href

await server.start()
const admin = new pg.Client(server.url)
await admin.connect()
for (const name of Object.keys(services)) await admin.query(`CREATE DATABASE ${name.replace('-', '_')}`)
await admin.end()

await t.test('a server without TLS is refused, not talked to in the open', async t => {
  for (const [name, open] of Object.entries(services)) {
    await t.rejects(
      open({ DATABASE_URL: onAddress(name), DATABASE_TLS: 'on', DATABASE_TLS_CA: files.right }),
      { message: /^PostgreSQL does not accept TLS, which DATABASE_TLS=on requires\./ },
      name
    )
  }
})

await t.test('with TLS, only a server is accepted whose certificate the CA signed for that address', async t => {
  server.own(join(server.data, 'server.crt'), certificate)
  server.own(join(server.data, 'server.key'), key)
  await server.stop()
  await server.start({ ssl: 'on' })
  for (const [name, open] of Object.entries(services)) {
    const url = onAddress(name)
    const on = { DATABASE_URL: url, DATABASE_TLS: 'on' }
    await t.resolves(open({ ...on, DATABASE_TLS_CA: files.right }), `${name}: the right CA`)
    const refused: Array<[what: string, env: Record<string, string>, sentence: RegExp]> = [
      [
        'another CA', { ...on, DATABASE_TLS_CA: files.wrong },
        /^The certificate of PostgreSQL cannot be verified \(.+\)\. Set DATABASE_TLS_CA to /
      ],
      ['no CA', on, /^The certificate of PostgreSQL cannot be verified \(.+\)\. Set DATABASE_TLS_CA to /],
      [
        'another name', { ...on, DATABASE_URL: url.replace('127.0.0.1', 'localhost'), DATABASE_TLS_CA: files.right },
        /^The certificate of PostgreSQL is for another name than the host in DATABASE_URL\./
      ],
      [
        'a file that is none', { ...on, DATABASE_TLS_CA: join(folder, 'none.pem') },
        /^DATABASE_TLS_CA must be the path of a PEM file with a certificate; .*none\.pem is not\.$/
      ],
      [
        'a file without a certificate', { ...on, DATABASE_TLS_CA: files.key },
        /^DATABASE_TLS_CA must be the path of a PEM file with a certificate; /
      ]
    ]
    for (const [what, env, sentence] of refused) await t.rejects(open(env), { message: sentence }, `${name}: ${what}`)
  }
})

await t.test('every connection of the pool is encrypted', async t => {
  const { loadConfig } = await load<typeof import('../packages/customer-service/src/config.js')>('customer-service', 'config.js')
  const { openDatabase } = await load<typeof import('../packages/customer-service/src/stores/open.js')>(
    'customer-service',
  'stores/open.js'
  )
  const { connection, close } = await openDatabase(
    loadConfig({ DATABASE_URL: onAddress('customer-service'), DATABASE_TLS: 'on', DATABASE_TLS_CA: files.right })
  )
  await Promise.all(Array.from({ length: 5 }, () => query(connection, { slept: 'string' }, sql`SELECT pg_sleep(0.1)::text`)))
  const rows = await query(connection, { ssl: 'boolean' }, sql`
    SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'customer-service'`)
  t.ok(rows.length >= 5, 'the five and no less: the pool may have opened one more before')
  t.ok(rows.every(({ ssl }) => ssl))
  await close()
})
