import { upload } from '@frontdesk/test-kit/upload'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'

const host = 'Host: localhost'
const csv = 'Content-Type: text/csv'
const form = 'Content-Type: application/x-www-form-urlencoded'

t.test('where the connection is closed after a refused upload, the response says so', async t => {
  const { listen, everything, issuer } = await buildOnce(t)
  const port = await listen()
  const token = `Authorization: Bearer ${everything}`
  const reader = `Authorization: Bearer ${await issuer.mint({ claims: { scope: 'customer:read' } })}`
  const table: Array<[name: string, head: string[], status: number]> = [
    ['without a token', [`POST ${PATH}/import HTTP/1.1`, csv], 401],
    ['with a bad token', [`POST ${PATH}/import HTTP/1.1`, csv, 'Authorization: Bearer x'], 401],
    ['without the scope', [`POST ${PATH}/import HTTP/1.1`, csv, reader], 403],
    ['of another type', [`POST ${PATH}/import HTTP/1.1`, 'Content-Type: text/plain', token], 415],
    ['that is no JSON', [`POST ${PATH}/import HTTP/1.1`, 'Content-Type: application/json', token], 400],
    ['with an unknown parameter', [`POST ${PATH}/import?x=1 HTTP/1.1`, csv, token], 400],
    ['a form', [`POST ${PATH} HTTP/1.1`, form, token], 413],
    ['a form without a token', [`POST ${PATH} HTTP/1.1`, form], 401],
    ['at an unknown path', ['POST /nowhere HTTP/1.1', form], 404],
    ['with another method', [`PUT ${PATH}/import HTTP/1.1`, csv, token], 405],
    ['with a read', [`GET ${PATH}/1 HTTP/1.1`, csv, token], 404],
    ['at health', ['GET /health/live HTTP/1.1', csv], 200]
  ]
  const limited = await buildOnce(t, { RATE_LIMIT: '1/60s' })
  await limited.send('GET', `${PATH}/1`)
  const busy = await buildOnce(t, {}, { queueAge: () => 5_000 })
  const others = [
    { port: await limited.listen(), token: limited.everything, status: 429 },
    { port: await busy.listen(), token: busy.everything, status: 503 }
  ]
  // Load is looked at twice.
  await setTimeout(500)
  await Promise.all(others.flatMap(({ port, token, status }) => [false, true].map(async isChunked => {
    const head = [`POST ${PATH}/import HTTP/1.1`, host, csv, `Authorization: Bearer ${token}`]
    const { received, isClosed } = await upload(port, head, isChunked)
    t.match(received, new RegExp(`^HTTP/1.1 ${status} `))
    t.match(received, /^connection: close\r$/im, `${status}`)
    t.ok(isClosed, `${status}`)
  })))
  await Promise.all(table.flatMap(([name, head, status]) => [false, true].map(async isChunked => {
    const { received, isClosed } = await upload(port, [head[0]!, host, ...head.slice(1)], isChunked)
    const what = `${name}${isChunked ? ', chunked' : ''}`
    t.match(received, new RegExp(`^HTTP/1.1 (${status}|413|503) `), what)
    t.match(received, /^connection: close\r$/im, what)
    t.ok(isClosed, what)
  })))
})
