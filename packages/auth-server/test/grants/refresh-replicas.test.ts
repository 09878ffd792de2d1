import t from 'tap'
import { codeClient, exchangeForm, form, getCode, post } from '../support/code-flow.js'
import { spendEarlier, temporaryDatabase } from '../support/database.js'
import { build } from '../support/helper.js'

export const onBothDatabases = true

const [ROUNDS, AT_ONCE] = [200, 8]

t.test(`${ROUNDS} rounds of ${AT_ONCE} uses at once on two replicas sign nobody out: all of a round have the same successor`, async t => {
  const databaseUrl = await temporaryDatabase(t)
  const replicas = [await build(t, { DATABASE_URL: databaseUrl }), await build(t, { DATABASE_URL: databaseUrl })]
  await replicas[0]!.stores.clients.put(codeClient())
  /** Sends it again while the server says that it is busy, as clients do. */
  const use = async (index: number, payload: string) => {
    for (;;) {
      const answer = await post(replicas[index % 2]!.app, '/token', payload)
      if (answer.statusCode !== 503) return answer.json()
    }
  }
  const refresh = (index: number, token: string) => use(index, form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))
  const first = (await use(0, exchangeForm(await getCode(replicas[0]!.app)))).refresh_token as string

  let token = first
  const wrong: unknown[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => refresh(index, token)))
    const successors = new Set(answers.map(it => it.refresh_token))
    const accessTokens = new Set(answers.map(it => it.access_token))
    if (successors.size !== 1 || successors.has(token) || accessTokens.size !== AT_ONCE) wrong.push(answers)
    token = answers[0].refresh_token ?? token
  }
  t.same(wrong, [])

  const before = token
  token = (await refresh(0, before)).refresh_token
  await refresh(1, token)
  await spendEarlier(databaseUrl, first)
  t.equal((await refresh(1, before)).error, 'invalid_grant', 'late, a replaced token ends the family')
  t.equal((await refresh(0, token)).error, 'invalid_grant')
})
