import type { AccessToken } from '@frontdesk/schemas/access-token'
import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { codeClient, exchangeForm, form, getCode, post } from '../support/code-flow.js'
import { build } from '../support/helper.js'

export const onBothDatabases = true

const [ROUNDS, LANES] = [25, 16]
/** How long after its last access token an entry of the feed ends, in milliseconds. */
const MARGIN_MS = 10 * 60_000

/** One round: what gives tokens, in each lane, and what revokes the grant once some have. */
interface Round {
  readonly lane: (lane: number) => Promise<string | null>
  readonly revoke: () => Promise<unknown>
  /** Whether a token can still be used. */
  readonly works: () => Promise<boolean>
}

async function race (t: Test, begin: (built: Awaited<ReturnType<typeof build>>) => Promise<Round>) {
  const built = await build(t)
  await built.stores.clients.put(codeClient())
  const given: AccessToken[] = []
  const rounds: Round[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const round = await begin(built)
    rounds.push(round)
    let done = 0
    let signal = () => {}
    const started = new Promise<void>(resolve => { signal = resolve })
    const count = () => { if (++done > i % 8) signal() }
    const revoked = started.then(round.revoke)
    const tokens = await Promise.all(Array.from({ length: LANES }, (_, lane) => round.lane(lane).finally(count)))
    await revoked
    // as: they are ours.
    given.push(...tokens.flatMap(token => token === null ? [] : [decodeJwt(token) as AccessToken]))
  }
  t.ok(given.length >= ROUNDS, `${given.length} access tokens were given`)
  const { revocations, removeExpired } = built.stores
  t.same(await Promise.all(given.map(token => revocations.covers(token))), given.map(() => true), 'all are revoked')

  // As resource servers know it: while a token can be accepted, the entry of its grant is published.
  const entries = new Map((await revocations.after({ revokedAt: new Date(0), id: '' }, 1_000)).map(entry => [entry.id, entry]))
  t.same(given.filter(({ grant_id: id, exp }) => !(entries.get(id!)!.endsAt.getTime() >= exp * 1_000 + MARGIN_MS - 1_000)), [])
  const last = Math.max(...given.map(({ exp }) => exp * 1_000))
  t.ok([...entries.values()].every(({ endsAt }) => endsAt.getTime() <= last + MARGIN_MS + 60_000), 'and not much longer')

  const working = async () => (await Promise.all(rounds.map(round => round.works()))).filter(works => works)
  t.same(await working(), [], 'no refresh token works')
  for (const table of ['revocation', 'session', 'code'] as const) await removeExpired(table, new Date(Date.now() + 200 * 86_400_000))
  t.same(await working(), [], 'nor after the entries of the feed are removed')
  for (const table of ['grant', 'refresh token'] as const) await removeExpired(table, new Date(Date.now() + 200 * 86_400_000))
  t.same(await working(), [], 'nor after every lifetime')
}

t.test('16 uses of a refresh token while it is revoked: nothing survives', async t => await race(t, async ({ app }) => {
  const { refresh_token: first } = (await post(app, '/token', exchangeForm(await getCode(app)))).json()
  const use = async (token: string) => await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))
  const latest = new Set<string>([first])
  return {
    async lane () {
      const answer = (await use(first)).json()
      if (answer.refresh_token !== undefined) latest.add(answer.refresh_token)
      return answer.access_token ?? null
    },
    revoke: async () => await post(app, '/revoke', form({ client_id: 'app', token: first })),
    works: async () => (await Promise.all([...latest].map(use))).some(({ statusCode }) => statusCode === 200)
  }
}))

t.test('16 exchanges of a code, of which the second revokes its grant: nothing survives', async t => await race(t, async ({ app }) => {
  const code = await getCode(app)
  const exchange = async () => await post(app, '/token', exchangeForm(code))
  let refresh: string | undefined
  return {
    async lane () {
      const answer = (await exchange()).json()
      refresh = answer.refresh_token ?? refresh
      return answer.access_token ?? null
    },
    revoke: exchange,
    works: async () =>
      (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refresh }))).statusCode === 200
  }
}))
