import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { Browser, build } from '../../support/helper.js'

export const onBothDatabases = true

t.test('access that is removed at the very moment of an Allow is asked for again, at whatever step of it', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient())
  const browser = new Browser(app)
  await browser.allow(codeQuery())
  const ask = async () => (await browser.get(`/consent?${codeQuery()}`)).statusCode
  const ann = (await stores.users.find('ann'))!.id
  const remove = async () => await stores.authorizedApps.remove(ann, 'app')
  const again = codeQuery({ prompt: 'consent' })
  const allow = async () => await browser.post(`/consent?${again}`, { transaction: await browser.consent(again), decision: 'allow' })
  for (const [what, store] of [['the code', stores.codes], ['the grant', stores.grants], ['the consent', stores.consents]] as const) {
    const { add } = store
    // as: every add takes one thing.
    store.add = async (it: never) => {
      const added = await add(it)
      await remove()
      return added as never
    }
    const answer = await allow()
    store.add = add as never
    // Before the grant is recorded, nothing is given at all. It is recorded at once with the code.
    if (what !== 'the code' || answer.statusCode !== 409) t.equal((await post(app, '/token', exchangeForm(queryOf(answer).code!))).json().error, 'invalid_grant', what)
    t.equal(await ask(), 200, what)
  }
  for (let i = 0; i < 20; i++) {
    const [answer] = await Promise.all([allow(), setTimeout(i % 7).then(remove)])
    if (answer.statusCode === 409) continue
    const isRemembered = await ask() === 303
    const { error } = (await post(app, '/token', exchangeForm(queryOf(answer).code!))).json()
    t.ok(!isRemembered || error === undefined, `remembered: ${isRemembered}, ${error}`)
    await remove()
  }
})
