import Sqlite from 'better-sqlite3'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { connect } from '../src/connect.js'
import { options } from './options.js'

/** Locks a file for longer than a statement waits, as the first or the last process does that uses it. */
const locker = `
  const { parentPort, workerData } = require('node:worker_threads')
  const db = new (require('better-sqlite3'))(workerData)
  db.exec('BEGIN EXCLUSIVE')
  parentPort.postMessage('locked')
  setTimeout(() => { db.close() }, 200)`

t.test('a connection is opened while another process has locked the whole file: it waits', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const file = join(directory, 'locked.db')
  const worker = new Worker(locker, { eval: true, workerData: file })
  await once(worker, 'message')
  const connection = await connect(`file:${file}`, options)
  t.teardown(async () => {
    await connection.close()
    rmSync(directory, { recursive: true })
  })
  t.same(await connection.run({ sql: 'PRAGMA busy_timeout', args: [] }), [[5]], 'from now on, the thread waits for no lock')
})

t.test('statements that only read do not wait for a writer, even if they begin with WITH', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  const file = join(directory, 'written.db')
  const connection = await connect(`file:${file}`, options)
  const writer = new Sqlite(file)
  t.teardown(async () => {
    writer.close()
    await connection.close()
    rmSync(directory, { recursive: true })
  })
  writer.exec('BEGIN IMMEDIATE')
  const read = () => connection.run({ sql: 'WITH one AS (SELECT 1) SELECT * FROM one', args: [] })
  t.same(await Promise.all([read(), read()]), [[[1]], [[1]]])
})
