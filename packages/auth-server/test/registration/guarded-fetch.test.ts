import type { OutgoingAnswer, OutgoingRequest } from '@frontdesk/service-kit/outgoing/outgoing'
import t from 'tap'
import { createGuardedFetch } from '../../src/registration/guarded-fetch.js'

/** Requests that are answered when the test says so. */
function prepare () {
  const asked: OutgoingRequest[] = []
  const held: Array<(outcome: OutgoingAnswer | Promise<OutgoingAnswer>) => void> = []
  const send = async (request: OutgoingRequest) => await new Promise<OutgoingAnswer>(resolve => {
    asked.push(request)
    held.push(resolve)
  })
  const guardedFetch = createGuardedFetch({ send })
  const ask = async (address: string, host: string) => await guardedFetch(`https://${host}/client.json`, address, 10).then(() => 'fetched', error => error.code)
  const end = (failure?: Error) => {
    for (const resolve of held.splice(0)) resolve(failure === undefined ? { status: 200, headers: {}, text: '' } : Promise.reject(failure))
  }
  return { asked, ask, end }
}

t.test('slow answers take a fifth of the places of one source, however many it asks for at once', async t => {
  const { asked, ask, end } = prepare()
  for (const [source, other] of [['192.0.2.1', '192.0.2.2'], ['2001:db8::1', '2001:db8:1::1']] as const) {
    const asks = Array.from({ length: 20 }, (_, i) => ask(source, `host-${i}.example`))
    t.equal(asked.splice(0).length, 4)
    t.same(new Set(await Promise.all(asks.slice(4))), new Set(['busy']))
    const another = ask(other, 'other.example')
    t.equal(asked.splice(0).length, 1, 'another source')
    end()
    t.same(new Set(await Promise.all([...asks.slice(0, 4), another])), new Set(['fetched']))
  }
})

t.test('addresses of one IPv6 site are one source', async t => {
  const { asked, ask, end } = prepare()
  const asks = Array.from({ length: 20 }, (_, i) => ask(`2001:db8:0:${i}::1`, `host-${i}.example`))
  t.equal(asked.length, 4)
  end()
  await Promise.all(asks)
})

t.test('slow answers of one host take a fifth of the places; a place is free again after an answer or a failure', async t => {
  const { asked, ask, end } = prepare()
  for (const failure of [undefined, new Error('late')]) {
    const asks = Array.from({ length: 20 }, (_, i) => ask(`192.0.2.${i}`, 'slow.example'))
    t.equal(asked.splice(0).length, 4)
    const other = ask('192.0.2.99', 'other.example')
    t.equal(asked.splice(0).length, 1, 'another host')
    end(failure)
    await Promise.all([...asks, other])
  }
})
