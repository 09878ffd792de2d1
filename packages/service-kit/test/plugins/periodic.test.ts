import Fastify, { type FastifyInstance } from 'fastify'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import drain from '../../src/plugins/drain.js'
import { jobEnded, periodic, type PeriodicJob } from '../../src/plugins/periodic.js'

const EVERY_MS = 20

async function serverWith (t: Test, job: Pick<PeriodicJob, 'run'> & Partial<PeriodicJob>): Promise<FastifyInstance> {
  const fastify = Fastify()
  await fastify.register(drain)
  periodic(fastify, { name: 'a job', everyMs: EVERY_MS, warning: 'it failed', ...job })
  t.teardown(() => fastify.close())
  return fastify
}

t.test('a job runs from when the server listens until it drains, one run at a time', async t => {
  const ends: number[] = []
  let running = 0
  const fastify = await serverWith(t, {
    async run () {
      t.equal(++running, 1)
      await setTimeout(2 * EVERY_MS)
      running--
      ends.push(performance.now())
    }
  })
  await fastify.ready()
  await setTimeout(3 * EVERY_MS)
  t.same(ends, [], 'not before')
  await fastify.listen({ port: 0 })
  while (ends.length < 3) await setTimeout(EVERY_MS)
  const drained = fastify.drain()
  await setTimeout(3 * EVERY_MS)
  const before = ends.length
  await setTimeout(5 * EVERY_MS)
  t.equal(ends.length, before, 'not while it drains')
  await drained
})

t.test('a job that fails runs later and later, and as usual once it succeeds', async t => {
  const times: number[] = []
  const outcomes: string[] = []
  t.teardown(jobEnded.subscribe(({ name, outcome }) => outcomes.push(`${name}: ${outcome}`)))
  const fastify = await serverWith(t, {
    runsAtListen: true,
    async run () {
      times.push(performance.now())
      if (times.length < 4) throw new Error('no')
    }
  })
  await fastify.listen({ port: 0 })
  while (times.length < 5) await setTimeout(EVERY_MS)
  const waits = times.slice(1).map((time, i) => time - times[i]!)
  for (const [i, doubled] of [2, 4, 8].entries()) t.ok(waits[i]! >= doubled * EVERY_MS * 0.9 - 2, `${waits[i]}`)
  t.same(outcomes.slice(0, 4), ['a job: failed', 'a job: failed', 'a job: failed', 'a job: done'])
})

t.test('a job whose longest backoff is its interval keeps its pace when it fails', async t => {
  const runs = { steady: 0, slower: 0 }
  const failing = (name: keyof typeof runs) => async () => {
    runs[name]++
    throw new Error('no')
  }
  const fastify = await serverWith(t, { run: failing('steady'), maxBackoffMs: EVERY_MS })
  periodic(fastify, { name: 'another', everyMs: EVERY_MS, warning: 'it failed', run: failing('slower') })
  await fastify.listen({ port: 0 })
  while (runs.slower < 5) await setTimeout(EVERY_MS)
  t.ok(runs.steady > runs.slower, `${runs.steady}`)
})

t.test('a job with a lease runs only while this replica holds it', async t => {
  const outcomes: string[] = []
  t.teardown(jobEnded.subscribe(({ outcome }) => outcomes.push(outcome)))
  let asked = 0
  const fastify = await serverWith(t, { run: async () => t.equal(asked, 2), lease: async () => ++asked === 2 })
  await fastify.listen({ port: 0 })
  while (outcomes.length < 3) await setTimeout(EVERY_MS)
  t.same(outcomes.slice(0, 3), ['skipped', 'done', 'skipped'])
})
