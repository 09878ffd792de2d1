import t from 'tap'
import { makeRecoveryCodes } from '../../src/factors/recovery-code.js'
import { hashPassword } from '../../src/sign-in/password.js'
import { codeQuery, exchangeForm, post, queryOf } from '../support/code-flow.js'
import { changeAfter } from '../support/races/change-after.js'
import { prepareSecondStep } from '../support/second-step.js'

export const onBothDatabases = true

const [LANES, ROUNDS] = [16, 25]

t.test('codes that are entered while the password changes leave neither a session nor a code that works', async t => {
  const { app, stores, ann, enroll, open, enterCode } = await prepareSecondStep(t)
  await enroll()
  let [password, given, refused] = ['correct horse', 0, 0]
  const survivors: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = `battery staple ${round}`
    const hash = await hashPassword(wanted)
    const made = [makeRecoveryCodes(), makeRecoveryCodes()]
    t.ok(await stores.factors.recoveryCodes.replace(await ann(), made.flatMap(({ hashes }) => hashes)))
    const codes = made.flatMap(it => it.codes)
    const browsers = Array.from({ length: LANES }, (_, lane) => open(`192.0.${round}.${lane}`))
    const pages = await Promise.all(browsers.map(async it => await it.allow(codeQuery(), { username: 'ann', password })))
    const answers = await changeAfter(round % LANES, () => stores.users.setPassword('ann', hash), browsers.map((it, lane) =>
      () => enterCode(it, pages[lane]!, codes[lane]!, { trust: 'yes' })))
    for (const [lane, answer] of answers.entries()) {
      if ((await browsers[lane]!.get('/account')).body.includes('value="everywhere"')) survivors.push('session')
      if (answer.statusCode !== 303) {
        refused++
        continue
      }
      given++
      if ((await post(app, '/token', exchangeForm(queryOf(answer).code!))).statusCode === 200) survivors.push('code')
    }
    password = wanted
    const trusted = (await Promise.all(browsers.map(async it => await it.allow(codeQuery(), { username: 'ann', password }))))
    survivors.push(...trusted.filter(({ statusCode }) => statusCode === 303).map(() => 'trust'))
  }
  t.ok(given > 0 && refused > 0, `${given} signed in before the change, ${refused} did not`)
  t.same(survivors, [])
})
