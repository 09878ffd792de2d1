import t from 'tap'
import { Browser, build, formTokenOf } from '../support/helper.js'

export const onBothDatabases = true

const LANES = 16
const ROUNDS = 25

/** Signs in at the account page. */
async function enter (browser: Browser, password: string) {
  return await browser.post('/account', {
    transaction: formTokenOf(await browser.get('/account')),
    decision: 'sign-in',
    username: 'ann',
    password
  })
}

t.test('a sign-in with the old password leaves no session when the password is changed at the account page', async t => {
  const { app } = await build(t)
  const source = (lane: number) => `192.0.2.${lane}`
  let [before, given] = ['correct horse', 0]
  const survivors: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const owner = new Browser(app, source(200))
    const transaction = formTokenOf(await enter(owner, before))
    const wanted = `battery staple ${round}`
    const others = Array.from({ length: LANES }, (_, lane) => new Browser(app, source(lane)))
    const [changed, ...answers] = await Promise.all([
      owner.post('/account', { transaction, decision: 'password', password: before, new_password: wanted }),
      ...others.map(async other => await enter(other, before))
    ])
    t.equal(changed?.statusCode, 303)
    given += answers.filter(({ statusCode }) => statusCode === 200).length
    const pages = await Promise.all(others.map(async other => await other.get('/account')))
    survivors.push(...pages.flatMap(({ body }, lane) => body.includes('value="everywhere"') ? [lane] : []))
    before = wanted
  }
  t.same(survivors, [], `0 of ${given} sign-ins survive`)
})

t.test('of two concurrent changes of one password one succeeds, and the other says so', async t => {
  const { app } = await build(t)
  const browsers = [new Browser(app, '192.0.2.1'), new Browser(app, '192.0.2.2')]
  const forms = await Promise.all(browsers.map(async browser => formTokenOf(await enter(browser, 'correct horse'))))
  const answers = await Promise.all(
    browsers.map(
      async (browser, i) =>
        await browser.post('/account', {
          transaction: forms[i]!,
          decision: 'password',
          password: 'correct horse',
          new_password: `battery staple ${i}`
        })
    )
  )
  const won = answers.findIndex(({ statusCode }) => statusCode === 303)
  t.ok([403, 409].includes(answers[1 - won]!.statusCode), `${answers[1 - won]!.statusCode}`)
  t.equal((await enter(new Browser(app, '192.0.2.3'), `battery staple ${won}`)).statusCode, 200)
  t.equal((await enter(new Browser(app, '192.0.2.3'), `battery staple ${1 - won}`)).statusCode, 403)
})
