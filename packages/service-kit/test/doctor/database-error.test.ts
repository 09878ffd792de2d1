import t from 'tap'
import { databaseError } from '../../src/doctor/database-error.js'

const FILE = 'file:/data/customers.db'
const SERVER = 'postgresql://me:secret@db.example:5432/customers?sslmode=require'

t.test('why a service cannot start on a database is one line that says what to do, and no secret', async t => {
  const raw = 'Invalid `prisma.client.create()` invocation in\n/srv/app.js:1:1\n\nOperation has timed out'
  const rows: Array<[url: string, code: string, message: string, sentence: string]> = [
    [
      FILE,
      'SQLITE_BUSY',
      'database is locked',
      'The database /data/customers.db cannot be used: another process has been writing to the file for too long. Wait until it is done, or stop it.'
    ],
    [FILE, 'P1008', raw, 'The database /data/customers.db cannot be used: it does not respond in time. Fix that, or correct DATABASE_URL.'],
    [
      SERVER,
      '28P01',
      'password authentication failed for user "me"',
      'The database postgresql://db.example:5432/customers cannot be used: it refuses the user name or password. Correct them in DATABASE_URL; characters such as @ : / must be percent-encoded there.'
    ],
    [
      SERVER,
      'XX000',
      'Something else.',
      'The database postgresql://db.example:5432/customers cannot be used: Something else. Fix that, or correct DATABASE_URL.'
    ]
  ]
  for (const [url, code, message, sentence] of rows) {
    const error = Object.assign(new Error(message), { code })
    t.match(databaseError(url, error), { message: sentence, cause: error })
    t.match(databaseError(url, new AggregateError([error])), { message: sentence })
  }
})

t.test('what is no error of a driver says it itself', async t => {
  const error = new Error('Migration 3 was edited.')
  t.equal(databaseError(FILE, error), error)
})
