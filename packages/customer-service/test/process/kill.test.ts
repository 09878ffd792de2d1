import Sqlite from 'better-sqlite3'
import t from 'tap'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { PATH, encode, type Send } from '../support/helper.js'
import { start } from '../support/process/server-process.js'

const ROUNDS = 20
const WRITERS = 6

t.test('kill -9 under write load, 20 times: every acknowledged row is there, no half rows, and it starts again by itself', async t => {
  const file = `${temporaryFolder(t)}/customers.db`
  /** Address of each customer that was acknowledged; `null` once removed. */
  const acknowledged = new Map<number, string | null>()
  /** Customers whose last write was not answered: it may have been made or not. */
  const unsure = new Set<number>()
  let next = 1
  let writes = 0
  let killAt = 0
  let kill = () => true

  for (let round = 0; round < ROUNDS; round++) {
    const { url, child, exit } = await start(t, { DATABASE_URL: `file:${file}` })
    killAt = writes + 20 + Math.floor(Math.random() * 20)
    kill = () => child.kill('SIGKILL')
    await Promise.all(Array.from({ length: WRITERS }, () => write(url)))
    t.same(await exit, [null, 'SIGKILL'])
  }

  const db = new Sqlite(file, { readonly: true })
  t.teardown(() => db.close())
  t.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  // as: the columns that are selected.
  const rows = db.prepare('SELECT id, name, address FROM customer').all() as Array<{ id: number, name: string, address: string }>
  const found = new Map(rows.map(({ id, address }) => [id, address]))
  for (const { id, name, address } of rows) t.ok(name === `customer ${id}` && /^(first|second) \d+ x{100}$/.test(address), `${id} is whole`)
  let checked = 0
  for (const [id, address] of acknowledged) {
    if (unsure.has(id)) continue
    checked++
    if ((found.get(id) ?? null) !== address) t.fail(`customer ${id}: acknowledged ${address}, found ${found.get(id)}`)
  }
  t.ok(checked > ROUNDS * WRITERS, `${checked} acknowledged customers are as they were acknowledged`)

  /** Registers, moves and removes customers until the service is gone. */
  async function write (url: string) {
    for (;;) {
      const id = next++
      const name = `customer ${id}`
      const address = (word: string) => `${word} ${id} ${'x'.repeat(100)}`
      unsure.add(id)
      if (!await send(url, 'POST', PATH, { customerid: id, customername: name, customerage: 1, customeraddress: address('first') })) return
      acknowledged.set(id, address('first'))
      if (id % 2 === 0) {
        if (!await send(url, 'PUT', PATH, { customername: name, customeraddress: address('second') })) return
        acknowledged.set(id, address('second'))
      }
      if (id % 5 === 0) {
        if (!await send(url, 'DELETE', `${PATH}/${id}`)) return
        acknowledged.set(id, null)
      }
      unsure.delete(id)
    }
  }

  /** Whether the write was acknowledged; `false` when there was no answer. */
  async function send (url: string, method: string, path: string, form?: NonNullable<Send['form']>) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(url + path, { method, ...(form === undefined ? {} : { headers, body: encode(form) }) }).catch(() => null)
    if (answer === null) return false
    if (++writes === killAt) kill()
    t.ok([201, 204].includes(answer.status), `${method} ${answer.status}`)
    return true
  }
})
