import { connect } from '@frontdesk/database/connect'
import type { Outcome } from '@frontdesk/database/standby'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import type { Config } from '../../config.js'
import { APPLICATION } from '../../stores/maintain.js'

const { ok, warning } = findings('standby')
const REMEDY = 'Lists are read from the primary meanwhile. Check the standby and its replication, or remove DATABASE_READ_URL.'

/** Checks that lists can be read from the standby, if one is set. @throws what the driver throws if the primary cannot be reached */
export async function * checkStandby ({ databaseUrl, readUrl, database }: Config): AsyncGenerator<Finding> {
  if (readUrl === null) return
  const { Standby } = await import('@frontdesk/database/standby')
  const options = { ...database, ...APPLICATION }
  const primary = await connect(databaseUrl, options)
  let seen: { outcome: Outcome, error: unknown } | undefined
  const standby = new Standby(readUrl, primary, { ...options, onRead: (outcome, error) => { seen = { outcome, error } } })
  try {
    await standby.read(async () => true)
  } finally {
    await standby.close()
    await primary.close()
  }
  if (seen?.outcome === 'standby') yield ok('The standby of DATABASE_READ_URL follows the primary.')
  else if (seen?.outcome === 'behind') {
    yield warning('The server of DATABASE_READ_URL does not follow the primary, or lags behind it.', REMEDY)
  } else yield warning(`The standby of DATABASE_READ_URL cannot be used: ${String(seen?.error).replace(/^Error: |\.$/g, '')}.`, REMEDY)
}
