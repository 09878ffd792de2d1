import { upload } from '@frontdesk/test-kit/upload'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { build } from '../support/helper.js'

const host = 'Host: id.example'
const form = 'Content-Type: application/x-www-form-urlencoded'

t.test('where the connection is closed after a refused upload, the response says so', async t => {
  const { app } = await build(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  // as: a server that listens on a port has such an address.
  const { port } = app.server.address() as AddressInfo
  const table: Array<[line: string, header: string, status: string]> = [
    ['POST /token HTTP/1.1', form, '413'],
    ['POST /token HTTP/1.1', 'Content-Type: application/json', '415'],
    ['POST /consent HTTP/1.1', form, '400'],
    ['POST /authorize HTTP/1.1', 'Content-Type: text/plain', '415'],
    ['POST /nowhere HTTP/1.1', form, '404|413'],
    ['PUT /token HTTP/1.1', form, '405|413'],
    ['GET /userinfo HTTP/1.1', form, '401|413'],
    ['GET /health/live HTTP/1.1', form, '200|413']
  ]
  await Promise.all(table.flatMap(([line, header, status]) => [false, true].map(async isChunked => {
    const { received, isClosed } = await upload(port, [line, host, header], isChunked)
    const what = `${line}, ${header}${isChunked ? ', chunked' : ''}`
    t.match(received, new RegExp(`^HTTP/1.1 (${status}) `), what)
    t.match(received, /^connection: close\r$/im, what)
    t.ok(isClosed, what)
  })))
})
