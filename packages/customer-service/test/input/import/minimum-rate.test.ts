import { mock } from 'node:test'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { atMinimumRate, MIN_BYTES, WINDOW_MS } from '../../../src/input/import/minimum-rate.js'

const SECOND = 1_000

/** Reads a body, and passes the time while it is waited for. */
function read (t: Test) {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const body = new PassThrough()
  let time = 0
  let [length, error] = [0, undefined as unknown]
  const ended = (async () => {
    // What is read of it is worked on for an hour.
    for await (const bytes of atMinimumRate(body, () => time)) {
      length += bytes.length
      time += 3_600 * SECOND
    }
  })().catch(caught => { error = caught })
  const wait = async (ms: number) => {
    await setImmediate()
    time += ms
    mock.timers.tick(ms)
    await setImmediate()
  }
  return { body, ended, wait, length: () => length, error: () => error }
}

t.test('a client that trickles is refused after a minute', async t => {
  const { body, wait, error } = read(t)
  for (let second = 20; second < 60; second += 20) {
    await wait(20 * SECOND)
    body.write('x')
  }
  t.equal(error(), undefined)
  await wait(21 * SECOND)
  t.match(error(), { kind: { status: 408 }, headers: { Connection: 'close' } })
})

t.test('a client that is just fast enough is read to its end, however long the service works on what it sent', async t => {
  const { body, ended, wait, length, error } = read(t)
  for (let minute = 0; minute < 100; minute++) {
    await wait(WINDOW_MS - SECOND)
    body.write(Buffer.alloc(MIN_BYTES))
  }
  body.end()
  await ended
  t.equal(error(), undefined)
  t.equal(length(), 100 * MIN_BYTES)
})
