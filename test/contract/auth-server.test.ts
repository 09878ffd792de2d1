import { PactV3, MatchersV3, Verifier, type V3MockServer } from '@pact-foundation/pact'
import Database from 'better-sqlite3'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { checkIssuer } from '../../packages/customer-service/src/cli/doctor/issuer.js'
import type { Auth, loadConfig } from '../../packages/customer-service/src/config.js'
import type { fetchJwks } from '../../packages/customer-service/src/keys/keys.js'
import type { fetchRevocations } from '../../packages/customer-service/src/revocations/feed-reader.js'
import { load } from '../support/load.js'
import { root, startStack } from '../support/stack.js'
import { upToDate } from '../support/contract/committed.js'

const { arrayContaining, regex, like, eachLike, integer, boolean } = MatchersV3

const FILE = 'customer-service-auth-server.json'
const ISSUER = 'http://localhost:3000'
/** Requests of a customer-service that is configured with an issuer only. */
const JWKS_PATH = '/.well-known/jwks.json'
const REVOCATIONS_PATH = '/revocations'
const METADATA_PATH = '/.well-known/oauth-authorization-server'

/** A key of access tokens as auth-server makes them by default: ES256 (RFC 7518 §6.2.1). There may be others, for ID tokens. */
const key = {
  kty: regex('^EC$', 'EC'),
  crv: regex('^P-256$', 'P-256'),
  x: regex('^[\\w-]{43}$', 'a'.repeat(43)),
  y: regex('^[\\w-]{43}$', 'a'.repeat(43)),
  kid: like('first'),
  alg: regex('^ES256$', 'ES256'),
  use: regex('^sig$', 'sig')
}

/** The mock server notes a request only after it has answered: a test that is quick must wait for that. */
class PatientPact extends PactV3 {
  override async executeTest<T> (use: (server: V3MockServer) => Promise<T>): Promise<T | undefined> {
    return await super.executeTest(async server => {
      const done = await use(server)
      // as: PactV3 has it, but its type says that it is private.
      const { pact } = this as unknown as { pact: { mockServerMatchedSuccessfully: (port: number) => boolean } }
      for (let tries = 0; tries < 500 && !pact.mockServerMatchedSuccessfully(server.port); tries++) await setTimeout(20)
      return done
    })
  }
}

await t.test('what customer-service needs of auth-server is written down by its own code', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-pact-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const service = {
    config: await load<{ loadConfig: typeof loadConfig }>('customer-service', 'config.js'),
    jwks: await load<{ fetchJwks: typeof fetchJwks }>('customer-service', 'keys/keys.js'),
    revocations: await load<{ fetchRevocations: typeof fetchRevocations }>('customer-service', 'revocations/feed-reader.js'),
    issuer: await load<{ checkIssuer: typeof checkIssuer }>('customer-service', 'cli/doctor/issuer.js')
  }
  const pact = () => new PatientPact({ consumer: 'customer-service', provider: 'auth-server', dir, logLevel: 'error' })
  const json = { 'Content-Type': regex('^application/json(;.*)?$', 'application/json; charset=utf-8') }

  for (const [state, count] of [['one signing key', 1], ['two signing keys', 2]] as const) {
    await pact().given(state).uponReceiving(`GET ${JWKS_PATH} of a server with ${state}`)
      .withRequest({ method: 'GET', path: JWKS_PATH })
      .willRespondWith({ status: 200, headers: json, body: { keys: arrayContaining(...Array.from({ length: count }, () => key)) } })
      .executeTest(async ({ url }) => {
        // as: `required` is what AUTH is unless it is set.
        const { auth } = service.config.loadConfig({ ISSUER: url }) as { auth: { jwksUrl: string } }
        t.equal((await service.jwks.fetchJwks(auth.jwksUrl)).jwks.keys.length, count)
      })
  }

  for (const [state, count] of [['nothing revoked', 0], ['a revoked grant', 1]] as const) {
    await pact().given(state).uponReceiving(`GET ${REVOCATIONS_PATH} with ${state}`)
      .withRequest({ method: 'GET', path: REVOCATIONS_PATH })
      .willRespondWith({
        status: 200,
        headers: json,
        body: {
          revoked: count === 0 ? [] : eachLike({ id: like('a-grant'), ends: integer(2_000_000_000), at: integer(1_990_000_000) }),
          next: like('0'),
          more: boolean(false)
        }
      })
      .executeTest(async ({ url }) => {
        // as: `required` is what AUTH is unless it is set.
        const { auth } = service.config.loadConfig({ ISSUER: url }) as { auth: Auth & { revocationsUrl: string } }
        t.equal((await service.revocations.fetchRevocations(auth.revocationsUrl, '')).revoked.length, count)
      })
  }

  await pact().given('one signing key').uponReceiving(`GET ${METADATA_PATH}`)
    .withRequest({ method: 'GET', path: METADATA_PATH })
    .willRespondWith({
      status: 200,
      headers: json,
      body: {
        issuer: regex('^https?://[^/]+(/.*[^/])?$', ISSUER),
        jwks_uri: regex('^https?://.+/\\.well-known/jwks\\.json$', ISSUER + JWKS_PATH)
      }
    })
    .executeTest(async ({ url }) => {
      const { auth } = service.config.loadConfig({ ISSUER: url }) as { auth: Auth }
      const examination = service.issuer.checkIssuer(auth)
      const { value: finding } = await examination.next()
      t.match(JSON.stringify(finding), `The issuer of the authorization server is ${ISSUER}`)
      t.equal((await examination.next()).value, ISSUER + JWKS_PATH)
    })
  await upToDate(t, FILE, JSON.parse(await readFile(join(dir, FILE), 'utf8')) as object)
})

await t.test('auth-server does what is written down', async t => {
  const stack = await startStack(t, ['auth-server'])
  const revoke = (...ids: string[]) => {
    const database = new Database(stack.database('auth-server'))
    const now = new Date()
    database.exec('DELETE FROM revocation')
    for (const id of ids) {
      database.prepare('INSERT INTO revocation (id, revoked_at, ends_at) VALUES (?, ?, ?)')
        .run(id, isoOf(now), isoOf(new Date(now.getTime() + 60_000)))
    }
    database.close()
  }
  const verifier = new Verifier({
    provider: 'auth-server',
    providerBaseUrl: stack.issuer,
    pactUrls: [join(root, 'test/contract/recorded', FILE)],
    stateHandlers: {
      'nothing revoked': async () => revoke(),
      'a revoked grant': async () => revoke('a-grant'),
      'one signing key': async () => {},
      'two signing keys': async () => {
        await stack.register(['keys', 'rotate'])
        await stack.end('auth-server', 'SIGTERM')
        await stack.start('auth-server')
      }
    },
    logLevel: 'error',
    // Milliseconds for a state, too: one of them starts the server again.
    timeout: 120_000
  })
  t.same(await verifier.verifyProvider().then(() => [], sentencesOf), [], `auth-server answers as test/contract/recorded/${FILE} says`)
})

/** As Prisma writes times. */
function isoOf (time: Date): string {
  return time.toISOString().replace('Z', '+00:00')
}

/** What differs, a sentence each, from the report that is the message of the verifier's error. */
function sentencesOf (error: Error): string[] {
  // as: the form of that report.
  const { errors } = JSON.parse(
    error.message
  ) as { errors: Array<{ interaction: string, mismatch: { mismatches?: Array<{ mismatch: string }> } }> }
  return errors.flatMap(({ interaction, mismatch }) => (mismatch.mismatches ?? []).map(it => `${interaction}: ${it.mismatch}`))
}
