import t from 'tap'
import type { Mail } from '../../src/mail/mailer.js'
import { createOutbox, type Failure } from '../../src/mail/outbox.js'

const mail: Mail = { to: { name: 'Ann', address: 'ann@example.com' }, subject: 's', text: 't', html: 'h' }
const refusal = (responseCode: number) => Object.assign(new Error(`${responseCode} no`), { responseCode })

t.test('what fails for now is retried three times; what is refused for good, never', async t => {
  for (const [failures, attempts, succeeds] of [
    [[], 1, true],
    [[new Error('connect ECONNREFUSED'), refusal(421), refusal(450)], 4, true],
    [Array.from({ length: 9 }, () => refusal(451)), 4, false],
    [[refusal(550)], 1, false]
  ] as const) {
    let count = 0
    const send = async () => {
      const failure = failures[count++]
      if (failure !== undefined) throw failure
    }
    const outbox = createOutbox({ send }, { retryDelay: 1 })
    const failure = await new Promise<Failure>(resolve => outbox.put(mail, resolve))
    t.same([count, failure === null], [attempts, succeeds])
  }
})

t.test('four mails are sent at once, a thousand wait, and more are given up; a stop gives up the rest', async t => {
  let sending = 0
  const outbox = createOutbox({
    send: async (_, signal) => await new Promise((_resolve, reject) => {
      sending++
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }, { closeGrace: 1 })
  const failures: Failure[] = []
  for (let i = 0; i < 1_010; i++) outbox.put(mail, failure => failures.push(failure))
  await new Promise(setImmediate)
  t.same([sending, failures.length, failures[0]?.message], [4, 10, 'too many emails are waiting'])
  await outbox.close()
  t.equal(failures.length, 1_010)
  t.equal(failures.at(-1)?.message, 'the server stops')
})

t.test('mails that wait for a retry do not keep others waiting', async t => {
  const down = async ({ to }: Mail) => { if (to.address === mail.to.address) throw refusal(451) }
  const outbox = createOutbox({ send: down }, { retryDelay: 3_600_000, closeGrace: 1 })
  const failures: Failure[] = []
  for (let i = 0; i < 4; i++) outbox.put(mail, failure => failures.push(failure))
  const other = { ...mail, to: { name: 'Bob', address: 'bob@example.com' } }
  t.equal(await new Promise<Failure>(resolve => outbox.put(other, resolve)), null)
  t.same(failures, [])
  await outbox.close()
  t.same(failures.map(it => it?.message), Array(4).fill('the server stops'))
})
