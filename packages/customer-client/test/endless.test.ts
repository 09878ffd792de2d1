import { setImmediate as tick } from 'node:timers/promises'
import t from 'tap'
import { clientOf } from './fake-service.js'

const JSON_TYPE = 'application/json'
const never = new Promise<never>(() => {})

/** An answer without end, that stops only if it is canceled; `chunk` is repeated. */
function endless (type: string, { chunk, status = 200 }: { chunk?: string, status?: number } = {}) {
  const seen = { canceled: false }
  const bytes = chunk === undefined ? undefined : new TextEncoder().encode(chunk)
  const body = new ReadableStream<Uint8Array>({
    pull: controller => bytes === undefined ? never : controller.enqueue(bytes),
    cancel () { seen.canceled = true }
  })
  return { answer: new Response(body, { status, headers: { 'Content-Type': type } }), seen }
}

/** A client whose fetch forgets its signal, as that of Node.js does after a garbage collection. */
const forgetful = (answer: Response | Promise<Response>, timeoutMs?: number) =>
  clientOf([], { timeoutMs, retries: 0, fetch: async () => await answer })

t.test('the time of an attempt ends it while its answer trickles, and before', async t => {
  const { answer, seen } = endless(JSON_TYPE)
  const late = { name: 'CustomerNetworkError', message: /none within 1 ms$/, cause: { name: 'TimeoutError' } }
  await t.rejects(forgetful(answer, 1).customers.read(1), late)
  await tick()
  t.ok(seen.canceled)
  await t.rejects(forgetful(never, 1).customers.read(1), late)
})

t.test('the signal ends whatever a call waits for', async t => {
  const reason = new Error('the person left')
  const waiting = [
    { name: 'a token', client: clientOf([], { token: () => never }), seen: undefined },
    { name: 'an answer', client: forgetful(never), seen: undefined },
    { name: 'a body', ...of(endless(JSON_TYPE)) },
    { name: 'a problem', ...of(endless('application/problem+json', { status: 400 })) }
  ]
  for (const { name, client: { customers }, seen } of waiting) {
    const controller = new AbortController()
    setImmediate(() => { controller.abort(reason) })
    t.equal(await customers.read(1, { signal: controller.signal }).catch((error: unknown) => error), reason, name)
    await tick()
    t.not(seen?.canceled, false, name)
  }

  const controller = new AbortController()
  const feed = endless('text/event-stream')
  const event = forgetful(feed.answer).customers.events({ signal: controller.signal }).next()
  const file = endless('text/csv')
  const reader = (await forgetful(file.answer).customers.export('text/csv', { signal: controller.signal })).getReader()
  const part = reader.read()
  setImmediate(() => { controller.abort(reason) })
  await t.rejects(event, reason)
  await t.rejects(part, reason)
  await tick()
  t.ok(feed.seen.canceled && file.seen.canceled)

  function of ({ answer, seen }: ReturnType<typeof endless>) {
    return { client: forgetful(answer), seen }
  }
})

t.test('an answer that is too long is an error at once', async t => {
  const chunk = ' '.repeat(2 ** 20)
  const { answer, seen } = endless(JSON_TYPE, { chunk })
  const { customers, requests } = clientOf([answer])
  await t.rejects(customers.read(1), { name: 'CustomerNetworkError', message: /longer than 33554432 characters$/ })
  t.equal(requests.length, 1)
  const refused = endless('application/problem+json', { chunk, status: 400 })
  await t.rejects(clientOf([refused.answer]).customers.read(1), { name: 'CustomerProblem', status: 400 })
  const feed = endless('text/event-stream', { chunk: 'data: a\n' })
  await t.rejects(clientOf([feed.answer]).customers.events().next(), { name: 'CustomerNetworkError', message: /longer than 65536 characters$/ })
  await tick()
  t.ok(seen.canceled && refused.seen.canceled && feed.seen.canceled)
})
