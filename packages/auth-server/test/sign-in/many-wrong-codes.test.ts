import t, { type Test } from 'tap'
import type { Notice } from '../../src/mail/notices.js'
import { createLimitCode } from '../../src/sign-in/code-limit.js'
import { twoReplicas } from '../support/stores/two-replicas.js'
import { requestsCode, prepareSecondStep } from '../support/second-step.js'
import { readMail, startMailServer } from '../support/mail-server.js'
import { subjectOf } from '../support/not-me.js'

export const onBothDatabases = true

const DAY_MS = 86_400_000

/** Enters codes from ever new addresses, on two replicas. */
async function prepare (t: Test) {
  const { stores, other } = await twoReplicas(t)
  const told: string[] = []
  const notify = async (userId: string, { what }: Notice) => { told.push(`${userId}: ${what}`) }
  const failures: unknown[] = []
  const limits = [stores, other].map(({ throttles }) => createLimitCode({ throttles, notify, onFailure: error => failures.push(error) }))
  let last = 0
  const enter = async (id: string, isRight = false) => {
    const address = `10.0.${last >> 8}.${last++ & 255}`
    return (await limits[last % 2]!({ user: { id, username: id }, address }, async () => isRight || null)).outcome
  }
  const pass = async (ms: number) => await stores.removeExpired('throttle', new Date(Date.now() + ms))
  const settle = async () => await new Promise(resolve => { setTimeout(resolve, 100) })
  return { told, failures, enter, pass, settle }
}

t.test('after 20 wrong codes in a day, however slowly, one email tells the user', async t => {
  const { told, failures, enter, pass, settle } = await prepare(t)
  for (let count = 0; count < 19; count++) t.equal(await enter('ann'), 'wrong code')
  for (let count = 0; count < 19; count++) await enter('bob')
  await settle()
  t.same(told, [])
  // The counters of an hour expire, that of the day does not.
  await pass(DAY_MS - 3_600_000)
  await enter('ann', true)
  await enter('ann')
  await settle()
  t.same(told, ['ann: wrong-codes'])
  for (let count = 0; count < 15; count++) await enter('ann')
  await settle()
  t.same(told.length, 1, 'once')
  await pass(2 * DAY_MS)
  for (let count = 0; count < 20; count++) await enter('ann')
  await settle()
  t.same(told.length, 2, 'and again another day')
  t.same(failures, [])
})

t.test('of many wrong codes at once, one email', async t => {
  const { told, enter, settle } = await prepare(t)
  const outcomes = await Promise.all(Array.from({ length: 64 }, () => enter('ann')))
  t.equal(outcomes.filter(it => it === 'wrong code').length, 20)
  await settle()
  t.same(told, ['ann: wrong-codes'])
})

t.test('the email says that someone knows the password', async t => {
  const { env, received } = await startMailServer(t)
  const { stores, enroll, open, enterPassword, enterCode } = await prepareSecondStep(t, env)
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  await enroll()
  for (let source = 0; source < 4; source++) {
    const browser = open(`192.0.2.${source}`)
    const page = await enterPassword(browser)
    t.ok(requestsCode(page))
    for (let count = 0; count < 5; count++) t.equal((await enterCode(browser, page, '000000')).statusCode, 403)
  }
  const mail = await received(1)
  t.equal(subjectOf(mail), 'Many wrong codes at id.example')
  t.match(readMail(mail).text, /Someone who knows your password at id\.example has entered 20 wrong codes.*If this wasn't you, open this link within 7 days to sign everyone out and set a new password:/s)
})
