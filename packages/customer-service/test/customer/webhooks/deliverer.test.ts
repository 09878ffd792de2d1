import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createRepresent } from '../../../src/customer/event.js'
import { Deliverer, MAX_ATTEMPTS, type DelivererOptions } from '../../../src/customer/webhooks/deliverer.js'
import { buildOnce, PATH } from '../../support/helper.js'
import { SECRET, startReceiver } from '../../support/customer/webhooks/receiver.js'

type Service = Awaited<ReturnType<typeof buildOnce>>

/** A webhook with a receiver, and deliverers as processes have them. */
async function install (t: Test, options: Partial<DelivererOptions> = {}, isPrivate = true) {
  const service = await buildOnce(t)
  const receiver = await startReceiver(t)
  const { webhooks, feed } = service
  await webhooks.add({ id: 'wh_1', url: receiver.url, secret: SECRET, ...await feed.findEnd('oldest') })
  const outgoing = new Outgoing({ allowPrivateNetworks: isPrivate, maxAtOnce: 10 })
  const represent = createRepresent(PATH)
  const start = (more: Partial<DelivererOptions> = {}) =>
    new Deliverer({ webhooks, feed, outgoing, represent, log: { warn () {} }, random: () => 0, ...options, ...more })
  return { ...service, ...receiver, start, find: async () => (await webhooks.find('wh_1'))! }
}

/** The positions of the events that were accepted. */
function positionsOf ({ state }: Awaited<ReturnType<typeof startReceiver>>) {
  return state.accepted.map(({ id }) => Number.parseInt(id))
}

/** Delivers what is due. */
async function deliver (deliverer: Deliverer) {
  await Promise.all(await deliverer.begin())
}

/** Runs deliverers until the webhook has come to a position. */
async function until (position: number, { find }: { find: () => ReturnType<Service['webhooks']['find']> }, ...deliverers: Deliverer[]) {
  while ((await find())!.position < position) {
    await Promise.all(deliverers.map(deliver))
    await setImmediate()
  }
}

t.test('each event is sent signed and in order, once, also by two processes at the same time', async t => {
  const all = await install(t)
  for (const id of [1, 2, 3]) await all.register(id)
  await all.send('DELETE', `${PATH}/2`)
  await until(4, all, all.start(), all.start())
  const events = (await all.send('GET', `${PATH}/events`)).json().events as Array<{ id: string, subject: string }>
  t.same(events.map(({ subject }) => subject), ['1', '2', '3', '2'])
  t.same(all.state.accepted, events.map(({ id, subject }) => ({ id, subject, message: `wh_1.${id}` })))
  t.same(all.state.wrong, [])
  t.match(await all.find(), { position: 4, failures: 0, failure: null, disabledReason: null })
})

t.test('a receiver that does not answer holds up no other webhook', async t => {
  const all = await install(t)
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  t.teardown(() => { silent.close(); silent.closeAllConnections() })
  await once(silent, 'listening')
  // as: a server that listens on a port has such an address.
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  await all.webhooks.add({ id: 'wh_0', url, secret: SECRET, ...await all.feed.findEnd('oldest') })
  await all.register(1)
  const deliverer = all.start()
  t.teardown(() => deliverer.stop())
  const asked = once(silent, 'request')
  t.equal((await deliverer.begin()).length, 2)
  await asked
  for (let position = 2; position <= 3; position++) {
    await all.register(position)
    while ((await all.find()).position < position) {
      await deliverer.begin()
      await setImmediate()
    }
  }
  t.same(positionsOf(all), [1, 2, 3])
})

t.test('a failed event is sent again before the next one, and a redirect is a failure', async t => {
  const all = await install(t)
  await all.register(1)
  await all.register(2)
  all.state.statuses.push(500, 302)
  await until(2, all, all.start())
  t.same(positionsOf(all), [1, 2])
  t.equal(all.state.requests, 4)
})

t.test('between attempts there is a pause with full jitter, and the reason can be seen', async t => {
  const all = await install(t, { random: () => 60 })
  await all.register(1)
  all.state.statuses.push(500)
  const deliverer = all.start()
  while ((await all.find()).failures === 0) await deliver(deliverer)
  await deliver(deliverer)
  t.match(await all.find(), { position: 0, failures: 1, failure: 'The receiver answered with status 500.' })
  t.match(await all.webhooks.listEnabled(), [{ id: 'wh_1', isDue: false }])
  t.equal(all.state.requests, 1)
  t.ok(await all.webhooks.enable('wh_1'))
  await until(1, all, deliverer)
  t.equal(all.state.requests, 2)
})

t.test('a receiver that names a pause gets it, up to an hour (RFC 9110 §10.2.3)', async t => {
  const pauses: number[] = []
  for (const [retryAfter, pause] of [['120', 120], ['999999999', 3_600], ['Wed, 21 Oct 2030 07:28:00 GMT', 0]] as const) {
    const all = await install(t)
    await all.register(1)
    all.state.statuses.push(429)
    all.state.headers = { 'retry-after': retryAfter }
    const { webhooks } = all
    const delay: typeof webhooks.delay = async (webhook, failure, seconds) => {
      pauses.push(seconds)
      await webhooks.delay(webhook, failure, seconds)
    }
    await deliver(all.start({ webhooks: { ...webhooks, delay } }))
    t.equal(pauses.pop(), pause, retryAfter)
  }
})

t.test('an event that always fails becomes a dead letter, and the next one is delivered', async t => {
  const all = await install(t)
  await all.register(1)
  await all.register(2)
  all.state.statuses.push(...Array(MAX_ATTEMPTS).fill(503))
  await until(2, all, all.start())
  t.same(positionsOf(all), [2])
  t.match(await all.webhooks.listDeadLetters('wh_1'), [{ position: 1, reason: 'The receiver answered with status 503.' }])
})

t.test('410 and removed events disable it', async t => {
  const all = await install(t)
  await all.register(1)
  all.state.statuses.push(410)
  const deliverer = all.start()
  while ((await all.find()).disabledReason === null) await deliver(deliverer)
  t.match(await all.find(), { position: 0, disabledReason: 'The receiver answered with status 410.' })
  await all.webhooks.enable('wh_1')
  await all.db.feedPosition.updateMany({ data: { removed: 1 } })
  while ((await all.find()).disabledReason === null) await deliver(deliverer)
  t.match(await all.find(), { disabledReason: 'Events after its position were removed.' })
  t.equal(all.state.requests, 1)
})

t.test('where the past was replaced, it begins again by itself with the oldest event', async t => {
  for (const position of [1, 2, 7]) {
    const all = await install(t)
    await all.register(1)
    await until(1, all, all.start())
    await all.register(2)
    await all.webhooks.enable('wh_1', { position, mark: 'aaaaaaaaaaaa' })
    const deliverer = all.start()
    while (all.state.accepted.length < 3) await deliver(deliverer)
    t.same(positionsOf(all), [1, 1, 2], `at ${position}`)
    t.match(await all.find(), { position: 2, disabledReason: null })
  }
})

t.test('private networks are refused where they are not allowed', async t => {
  const all = await install(t, {}, false)
  await all.webhooks.add({ id: 'wh_2', url: 'https://127.0.0.1:1/', secret: SECRET, ...await all.feed.findEnd('oldest') })
  await all.register(1)
  const deliverer = all.start()
  while ((await all.webhooks.find('wh_2'))!.failures === 0) await deliver(deliverer)
  t.match(await all.webhooks.find('wh_2'), { failure: /private networks are not allowed here/ })
  t.equal(all.state.requests, 0)
})

t.test('a deliverer that stops ends its request, and another one goes on at once', async t => {
  const all = await install(t)
  await all.register(1)
  const first = all.start()
  all.state.statuses.push(-1)
  const running = deliver(first)
  while (all.state.requests === 0) await setImmediate()
  await first.stop()
  await running
  t.match(await all.find(), { position: 0, failures: 0 })
  await until(1, all, all.start())
})
