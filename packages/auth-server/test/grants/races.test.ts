import t, { type Test } from 'tap'
import { hashRefreshToken } from '../../src/grants/refresh-token-form.js'
import { Browser, build, type Built } from '../support/helper.js'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { spendEarlier } from '../support/database.js'

export const onBothDatabases = true

const [LANES, ROUNDS] = [16, 10]

/** Runs rounds in lanes, so that many families are in use at one time; every round gives how many tokens survived it. */
async function survivors (t: Test, round: (built: Built, code: string) => Promise<number>): Promise<number> {
  const built = await build(t)
  await built.stores.clients.put(codeClient())
  const browser = new Browser(built.app)
  await browser.allow(codeQuery())
  let survived = 0
  await Promise.all(Array.from({ length: LANES }, async () => {
    for (let count = 0; count < ROUNDS; count++) survived += await round(built, await codeOf(browser))
  }))
  return survived
}

/** A code without a page: consent is remembered. */
async function codeOf (browser: Browser): Promise<string> {
  for (;;) {
    const response = await browser.get(`/consent?${codeQuery()}`)
    if (response.statusCode !== 503) return queryOf(response).code ?? ''
  }
}

type Answer = { refresh_token?: string, error?: string }

/** Sends it again while the server says that it is busy, as clients do. */
async function send (app: Built['app'], payload: string): Promise<Answer> {
  for (;;) {
    const response = await post(app, '/token', payload)
    if (response.statusCode !== 503) return response.json()
  }
}

const exchange = async (app: Built['app'], code: string) => await send(app, exchangeForm(code))
const refresh = async (app: Built['app'], token: string | undefined) =>
  await send(app, form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))

async function live ({ stores }: Built, answers: readonly Answer[]): Promise<string[]> {
  const tokens = answers.flatMap(({ refresh_token: token }) => token ?? [])
  const found = await Promise.all(
    tokens.map(async token => ((await stores.refreshTokens.find(hashRefreshToken(token), new Date())) === null ? [] : [token]))
  )
  return found.flat()
}

t.test(`${LANES} lanes, ${ROUNDS} rounds: of a refresh token and its successor, used at once, one survives at most, and never both holders`, async t => {
  const survived = await survivors(t, async (built, code) => {
    const { app } = built
    const { refresh_token: first } = await exchange(app, code)
    const { refresh_token: current } = await refresh(app, first)
    await spendEarlier(built.databaseUrl, first!)
    // The owner has the successor, the thief the spent one: both use them at the same time, in any order.
    const after = await Promise.all([refresh(app, current), refresh(app, first)])
    return (await live(built, after)).length
  })
  t.equal(survived, 0)
})

t.test(`${LANES} lanes, ${ROUNDS} rounds: of concurrent exchanges of a code one gives tokens, and the others end them`, async t => {
  const survived = await survivors(t, async (built, code) => {
    const { app } = built
    const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(app, code)))
    if (answers.filter(({ refresh_token: token }) => token !== undefined).length !== 1) return 100
    return (await live(built, answers)).length
  })
  t.equal(survived, 0)
})
