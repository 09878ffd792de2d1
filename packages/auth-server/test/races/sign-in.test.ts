import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../support/code-flow.js'
import { hashPassword } from '../../src/sign-in/password.js'
import { Browser, build } from '../support/helper.js'
import { changeAfter } from '../support/races/change-after.js'

export const onBothDatabases = true

const LANES = 16
const ROUNDS = 25

t.test('sign-ins with the old password leave neither a session nor a code that works when the password is changed', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  let [password, given, refused] = ['correct horse', 0, 0]
  const survivors: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = `battery staple ${round}`
    const hash = await hashPassword(wanted)
    const browsers = Array.from({ length: LANES }, (_, lane) => new Browser(app, `192.0.${round}.${lane}`))
    const forms = await Promise.all(browsers.map(it => it.consent(codeQuery())))
    const answers = await changeAfter(round % LANES, () => stores.users.setPassword('ann', hash), browsers.map((it, lane) =>
      () => it.post(`/consent?${codeQuery()}`, { transaction: forms[lane]!, decision: 'allow', username: 'ann', password })))
    for (const [lane, answer] of answers.entries()) {
      if ((await browsers[lane]!.get('/account')).body.includes('value="everywhere"')) survivors.push('session')
      if (answer.statusCode !== 303) {
        refused++
        t.notOk(answer.headers.location)
        continue
      }
      given++
      if ((await post(app, '/token', exchangeForm(queryOf(answer).code!))).statusCode === 200) survivors.push('code')
    }
    password = wanted
  }
  t.ok(given > 0 && refused > 0, `${given} signed in before the change, ${refused} did not`)
  t.same(survivors, [])
})

t.test('when the session is refused at once with the grant, nothing is handed out', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const { add } = stores.sessions
  const hash = await hashPassword('battery staple')
  stores.sessions.add = async session => {
    // The grant is recorded by then, with an epoch that the change ends.
    await setTimeout(200)
    await stores.users.setPassword('ann', hash)
    return await add(session)
  }
  const answer = await new Browser(app).allow(codeQuery())
  t.equal(answer.statusCode, 403)
  t.match(answer.body, 'changed while you were signing in')
  t.notOk(answer.headers.location)
})
