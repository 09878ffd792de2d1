import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { PATH } from '../support/helper.js'
import { request } from '../support/socket.js'
import { start } from '../support/process/server-process.js'

const host = 'Host: localhost'
const csv = 'Content-Type: text/csv'
const HEADINGS = 'customerid,customername,customerage,customeraddress\n'

t.test('SIGTERM during uploads: each gets an answer before its connection closes, and idle connections are closed', async t => {
  const { url, child, exit } = await start(t, { DATABASE_URL: `file:${temporaryFolder(t)}/customers.db` })
  const port = Number(new URL(url).port)
  const open = (head: string, part: () => string) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    let received = ''
    socket.on('data', data => { received += String(data) }).on('error', () => {})
    socket.write(head)
    const timer = setInterval(() => { if (socket.writable) socket.write(part()) }, 100)
    return new Promise<string>(resolve => socket.once('close', () => {
      clearInterval(timer)
      resolve(received)
    }))
  }
  let id = 0
  const row = () => `${++id},a,1,b\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const length = open(request(`POST ${PATH}/import HTTP/1.1`, host, csv, 'Content-Length: 50000000') + HEADINGS, row)
  const chunked = open(request(`POST ${PATH}/import HTTP/1.1`, host, csv, 'Transfer-Encoding: chunked') + chunk(HEADINGS), () => chunk(row()))
  const form = open(request(`POST ${PATH} HTTP/1.1`, host, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 9000'), () => 'a=b&')
  const idle = connect(port, '127.0.0.1')
  idle.on('error', () => {}).write(request('GET /health/live HTTP/1.1', host))
  await once(idle, 'data')
  await setTimeout(500)
  const begun = Date.now()
  child.kill('SIGTERM')
  await once(idle, 'close')
  t.ok(Date.now() - begun < 3_000, 'the idle connection ends first')
  for (const received of await Promise.all([length, chunked, form])) {
    t.match(received, /^HTTP\/1\.1 503 [^]*\}$/)
    t.match(received, /^connection: close\r$/im)
    t.match(received, /^retry-after: 2\r$/im)
  }
  for (const received of [await length, await chunked]) {
    t.match(JSON.parse(received.slice(received.indexOf('\r\n\r\n'))), { detail: /^This process is stopping/, report: { registered: 0, failed: 0 } })
  }
  t.same(await exit, [0, null])
  t.ok(Date.now() - begun < 9_500)
})
