import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { answers } from '../../src/problems/answers.js'
import type { Kind } from '../../src/problems/define.js'
import { kinds } from '../../src/problems/index.js'
import { Batcher, queueAge } from '@frontdesk/database/batch'
import { makeDpopKey, signProof } from '@frontdesk/test-kit/dpop'
import { upToDate } from '../support/committed.js'
import { lockCustomers } from '../support/lock-customers.js'
import { PATH, build } from '../support/helper.js'
import { sendUntilAdmitted, sendWritten } from '../support/written.js'
import { NO_ACTOR } from '../../src/stores/changes/change.js'

type Service = Awaited<ReturnType<typeof build>>

/** How a service gets where it meets a problem; there, two customers are called charitha. */
interface State {
  /** Its settings, where they are others than those of most. */
  env?: Record<string, string>
  /** It looks at the queue of the database, which is one for all services in this process. */
  looksAtQueue?: true
  /** What happens before, with that token; returns how to end it. */
  enter?: (service: Service, token: string) => Promise<() => unknown>
}

const NOWHERE = 'http://127.0.0.1:1/'
const form = { customerid: 3, customername: 'another', customerage: 33, customeraddress: 'piliyandala' }
const post = async ({ send }: Service, token: string, key: string) =>
  await send('POST', PATH, { form, token, headers: { 'idempotency-key': key } })

const stepUp = { env: { STEP_UP_ACR: 'urn:frontdesk:acr:mfa', STEP_UP_MAX_AGE: '300' } }

const states: Record<string, State> = {
  'sign-in-insufficient': stepUp,
  'user-missing': stepUp,
  'keys-unavailable': { env: { JWKS_URL: NOWHERE } },
  'revocations-unavailable': { env: { REVOCATIONS_URL: NOWHERE } },
  'origin-forbidden': { env: { MCP: 'on' } },
  'feed-off': { env: { FEED_DAYS: '0' } },
  'condition-missing': { env: { REQUIRE_IF_MATCH: 'true' } },
  'request-timeout': {
    async enter ({ http }) {
      const { headersTimeout, requestTimeout } = http.server
      // The same clock, sped up.
      Object.assign(http.server, { headersTimeout: 300, requestTimeout: 600 })
      return () => { Object.assign(http.server, { headersTimeout, requestTimeout }) }
    }
  },
  'rate-limit-exceeded': {
    env: { RATE_LIMIT: '600/60s' },
    async enter ({ rateLimiter }) {
      const { count } = rateLimiter!
      rateLimiter!.count = async () => ({ isExceeded: true, remaining: 0, resetSeconds: 42 })
      return () => { rateLimiter!.count = count }
    }
  },
  'idempotency-key-reused': {
    async enter (service, token) {
      await post(service, token, 'a-key-that-was-used')
      return () => {}
    }
  },
  'idempotency-key-in-use': {
    async enter (service, token) {
      const unlock = await lockCustomers(service.config.databaseUrl)
      const first = post(service, token, 'a-key-that-is-under-way')
      return async () => {
        await unlock()
        await first
      }
    }
  },
  'customer-merged': {
    async enter ({ customers }) {
      await customers.register({ id: 7, name: 'charitha', age: 33, address: 'piliyandala' }, NO_ACTOR)
      await customers.merge({ into: { id: 2, versions: 'any' }, from: { id: 7, versions: 'any' }, values: {} }, NO_ACTOR)
      return () => {}
    }
  },
  'operation-undone': {
    async enter ({ send, db }, token) {
      const headers = { 'content-type': 'text/csv', 'idempotency-key': 'a-key-of-an-undone-import' }
      await send('POST', `${PATH}/import`, { form: 'number,name,age,address\n4,charitha,33,piliyandala', token, headers })
      // As if the service had been killed before the first record.
      await db.importProgress.updateMany({ data: { done: 0, registered: 0, finishedAt: null } })
      await db.operation.updateMany({ data: { undone: 'another' } })
      return () => {}
    }
  },
  'service-overloaded': {
    env: {},
    looksAtQueue: true,
    async enter ({ send }) {
      let open = () => {}
      const opened = new Promise<void>(resolve => { open = resolve })
      const slow = new Batcher<string, string>(async questions => {
        await opened
        return questions
      }, { concurrency: 1, keyOf: question => question })
      const first = slow.run('a')
      await setTimeout(10)
      const second = slow.run('b')
      for (const end = Date.now() + 20_000; Date.now() < end && (await send('GET', PATH)).statusCode !== 503;) await setTimeout(10)
      return async () => {
        open()
        await Promise.allSettled([first, second])
      }
    }
  },
  'database-unavailable': { enter: async ({ config }) => await lockCustomers(config.databaseUrl) },
  'internal-error': {
    async enter ({ customers }) {
      const { find } = customers
      customers.find = async () => { throw new Error('a mistake') }
      return () => { customers.find = find }
    }
  }
}

/** Writes an example with tokens, and with a long header field, instead of what stands for them. */
function fillIn ({ example }: Kind, tokens: Record<string, string>): string {
  return example.replace(/(?<=Bearer |DPoP:? )\S+/g, name => tokens[name] ?? name).replace('… and 2000 more', '2,a,1,b\n'.repeat(2_000)).replace('more than 16 KiB', 'x'.repeat(17_000))
}

/** A service, and tokens for it by what stands for them. Its address is one that readers take for an example. */
async function start (t: Test, { env, looksAtQueue }: State = {}) {
  const aud = 'https://api.example'
  const service = await build(t, { AUDIENCE: aud, ...env }, looksAtQueue === true ? { queueAge } : {})
  for (const id of [1, 2]) await service.customers.register({ id, name: 'charitha', age: 33, address: 'piliyandala' }, NO_ACTOR)
  const key = await makeDpopKey()
  const bound = await service.issuer.mint({ claims: { aud, cnf: { jkt: key.jkt } } })
  const tokens = {
    'a-token': await service.issuer.mint({ claims: { aud } }),
    'a-token-that-has-ended': await service.issuer.mint({ claims: { aud, exp: Math.floor(Date.now() / 1000) - 600 } }),
    'a-bound-token': bound,
    'a-token-without-a-user': await service.issuer.mint({ claims: { aud, sub: 'desk' } }),
    'a-proof-without-nonce': await signProof(key, { method: 'GET', url: `${aud}${PATH}/1`, accessToken: bound }),
    'a-token-with-customer:read-only': await service.issuer.mint({ claims: { aud, scope: 'customer:read' } })
  }
  return { service, tokens, port: await service.listen() }
}

t.test('the example of every problem meets it, and its page shows what was answered', async t => {
  const usual = await start(t)
  const given: typeof answers = {}
  for (const kind of kinds) {
    const state = states[kind.name] ?? {}
    const { service, tokens, port } = state.env === undefined ? usual : await start(t, state)
    const leave = await state.enter?.(service, tokens['a-token'])
    const send = kind.name === 'service-overloaded' ? sendWritten : sendUntilAdmitted
    const { status, headers, body } = await send(port, fillIn(kind, tokens))
    await leave?.()
    const { type, title, status: told, ...members } = JSON.parse(body)
    t.same([status, told, new URL(type).pathname, title], [kind.status, kind.status, `/problems/${kind.name}`, kind.title], kind.name)
    t.match(
      headers,
      {
        'content-type': /^application\/problem\+json/,
        ...Object.fromEntries(Object.entries(kind.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
      },
      kind.name
    )
    given[kind.name] = { headers, members }
    const page = await explain(kind.name)
    // A kind that is new has no answer yet; the last line of this test says so.
    for (const text of [kind.example, answers[kind.name]?.members.detail ?? '']) {
      t.ok(page.includes(escape(String(text))), `${kind.name}: ${text}`)
    }
  }
  t.same(Object.keys(states).filter(name => given[name] === undefined), [], 'every state is that of a problem')

  /** Sends the request again while the machine is busy with something else. */
  async function explain (name: string): Promise<string> {
    const { statusCode, body } = await usual.service.send('GET', `/problems/${name}`, { token: null })
    return statusCode === 503 ? await explain(name) : body
  }
  await upToDate(t, 'packages/customer-service/src/problems/answers.ts', write(given))
})

function write (given: typeof answers): string {
  return `/* eslint-disable */
// Written by \`npm run contracts\`, as test/problems/examples.test.ts saw it.

/** The answer to the example of each kind of problem, without type, title and status. */
export const answers: Record<string, { headers: Record<string, string>, members: Record<string, unknown> }> = {
${Object.entries(given).map(([name, answer]) => `  ${JSON.stringify(name)}: ${JSON.stringify(answer)}`).join(',\n')}
}
`
}

function escape (text: string) {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
