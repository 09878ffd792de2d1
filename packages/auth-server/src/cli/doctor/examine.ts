import { judgeDatabase } from '@frontdesk/service-kit/doctor/database'
import { explainDatabase } from '@frontdesk/service-kit/doctor/database-error'
import { findings, type Finding, type Sentence } from '@frontdesk/service-kit/doctor/finding'
import { checkRunning } from '@frontdesk/service-kit/doctor/running'
import { checkSettings } from '@frontdesk/service-kit/doctor/settings'
import { checkAudit, checkSeals, checkDemo, checkStoredKeys, checkTokenSettings } from '../../admin/health.js'
import { loadConfig, Settings, type Config } from '../../config.js'
import { METADATA_PATH } from '../../oauth/well-known.js'
import { inspectDatabase, openMigrated } from '../../stores/stores.js'
import { checkClients } from './clients.js'
import { checkIssuer } from './issuer.js'
import { checkMail } from './mail.js'
import { checkProxy } from './proxy.js'

/** Runs every check of an installation, in order. The checks change nothing. */
export async function * examine (): AsyncGenerator<Finding<Sentence>> {
  const config = yield * checkSettings(Object.keys(Settings.properties), loadConfig)
  if (config === undefined) return
  yield * checkTokenSettings(config)
  const kids = yield * checkDatabase(config)
  const reached = yield * checkIssuer(config, kids)
  yield * checkProxy(config, reached)
  yield * checkMail(config)
  const { issuer } = config
  yield * checkRunning(config, {
    path: METADATA_PATH + new URL(issuer).pathname.replace(/\/$/, ''), settings: { ISSUER: { member: 'issuer', value: issuer } }
  })
}

/** @returns the ids of the keys in the database; `undefined` if they could not be read */
async function * checkDatabase (config: Config): AsyncGenerator<Finding<Sentence>, string[] | undefined> {
  const { databaseUrl: url, database } = config
  try {
    const state = await inspectDatabase(url, database)
    yield * judgeDatabase(url, state)
    if (state.isThere && state.readOnly === undefined && state.pending.length + state.edited.length === 0) {
      return yield * checkContents(config)
    }
  } catch (error) {
    yield explainDatabase(url, error)
  }
  yield findings('database').unchecked('Clients, users and keys were not checked: they are in the database.')
  return undefined
}

async function * checkContents (config: Config): AsyncGenerator<Finding<Sentence>, string[]> {
  const stores = await openMigrated(config.databaseUrl, config.database)
  try {
    yield * checkClients(await stores.clients.list(), config, stores.clock.now())
    yield * checkDemo(stores, config)
    yield checkAudit(await stores.audit.count(), config)
    yield await checkSeals(stores, config)
    return yield * checkStoredKeys(stores, config)
  } finally {
    await stores.close()
  }
}
