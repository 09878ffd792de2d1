import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Batcher, queueAge } from '../src/batch.js'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

const failure = (code: string) => Object.assign(new Error('x'), { code })

/** A batch that answers with the square, and what it was asked together. */
function squares ({
  concurrency = 1,
  delay = 0,
  keyOf,
  fails = () => undefined
}: { concurrency?: number, delay?: number, keyOf?: (it: number) => unknown, fails?: (asked: number[]) => unknown } = {}) {
  const together: number[][] = []
  const batch = new Batcher<number, number>(
    async asked => {
      together.push(asked)
      await setTimeout(delay)
      const error = fails(asked)
      if (error !== undefined) throw error
      return asked.map(it => it * it)
    },
    { concurrency, ...(keyOf === undefined ? {} : { keyOf }) }
  )
  return { together, ask: (it: number) => batch.run(it) }
}

t.test('questions that come at once are asked together, 64 at most, and each gets its own answer', async t => {
  const { together, ask } = squares()
  t.same(await Promise.all(numbers(150).map(ask)), numbers(150).map(it => it * it))
  t.same(together.map(({ length }) => length), [64, 64, 22])
})

t.test('questions that come while others are under way wait for them, and are asked together', async t => {
  const { together, ask } = squares({ delay: 20 })
  const first = ask(1)
  await setTimeout(5)
  await Promise.all([first, ask(2), ask(3)])
  t.same(together, [[1], [2, 3]])
})

t.test('with a concurrency of two, two statements run at once', async t => {
  const { together, ask } = squares({ concurrency: 2, delay: 20 })
  const first = ask(1)
  await setTimeout(5)
  const second = ask(2)
  await setTimeout(5)
  await Promise.all([first, second, ask(3)])
  t.same(together, [[1], [2], [3]])
})

t.test('questions with one key are asked one after the other, in order', async t => {
  const { together, ask } = squares({ keyOf: it => it % 10 })
  await Promise.all([1, 11, 2, 21, 3].map(ask))
  t.same(together, [[1, 2, 3], [11], [21]])
})

t.test('one that fails the others is asked alone, and fails alone', async t => {
  const { ask } = squares({ fails: asked => asked.includes(3) ? new Error('three') : undefined })
  const results = await Promise.allSettled(numbers(5).map(ask))
  t.same(results.map(({ status }) => status), ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

t.test('statements that stood in each other\'s way are asked again, row by row', async t => {
  const { together, ask } = squares({
    fails: asked => (asked.length > 1 ? failure('40P01') : undefined)
  })
  t.same(await Promise.all([1, 2].map(ask)), [1, 4])
  t.same(together, [[1, 2], [1], [2]])
})

t.test('when the database does not answer, all questions fail and none is repeated: the outcome is unknown', async t => {
  const { together, ask } = squares({ fails: () => failure('ECONNRESET') })
  const results = await Promise.allSettled([1, 2].map(ask))
  t.same(results.map(({ status }) => status), ['rejected', 'rejected'])
  t.same(together, [[1, 2]])
})

t.test('a question that waited too long is not asked any more', async t => {
  const { together, ask } = squares({ delay: 1_400 })
  const first = ask(1)
  await setTimeout(5)
  const second = ask(2)
  await t.rejects(second, { name: 'TimeoutError' })
  t.equal(await first, 1)
  t.same(together, [[1]])
  t.equal(await ask(3), 9)
})

t.test('a locked row fails alone, and the others of its batch are answered', async t => {
  const { together, ask } = squares({ fails: asked => asked.includes(3) ? failure('55P03') : undefined })
  const results = await Promise.allSettled(numbers(5).map(ask))
  t.same(results.map(({ status }) => status), ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  t.same(together, [numbers(5), [0], [1], [2], [3], [4]])
})

t.test('a batch that is split stops when the database does not answer any more', async t => {
  const { together, ask } = squares({
    fails: asked => asked.length > 1 ? new Error('one is bad') : asked[0] === 1 ? failure('ECONNRESET') : undefined
  })
  const results = await Promise.allSettled(numbers(4).map(ask))
  t.same(results.map(({ status }) => status), ['fulfilled', 'rejected', 'rejected', 'rejected'])
  t.same(together, [numbers(4), [0], [1]])
})

t.test('a batch that is split begins no statement later than any other batch', async t => {
  const { together, ask } = squares({ delay: 300, fails: asked => asked.length > 1 ? new Error('one is bad') : undefined })
  const results = await Promise.allSettled(numbers(20).map(ask))
  t.ok(together.length <= 6, `${together.length} statements of 300 ms within 1.25 s`)
  t.same(new Set(results.slice(6).map(it => it.status === 'rejected' && it.reason.name)), new Set(['TimeoutError']))
})

t.test('a question that waited for another one with its key, and then for the database, counts as waiting', async t => {
  const { together, ask } = squares({ delay: 50, keyOf: it => it % 65 })
  const answers = numbers(130).map(ask)
  await answers[0]
  await setTimeout(5)
  t.same(together.map(({ length }) => length), [64, 64])
  t.ok(queueAge() > 50, `${queueAge()} ms`)
  await Promise.all(answers)
})
