import { judgeDatabase } from '@frontdesk/service-kit/doctor/database'
import { explainDatabase } from '@frontdesk/service-kit/doctor/database-error'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { checkRunning } from '@frontdesk/service-kit/doctor/running'
import { checkSettings } from '@frontdesk/service-kit/doctor/settings'
import { keySets } from '../../admin/keys.js'
import { loadConfig, Settings, type Config } from '../../config.js'
import { assertNoDemo } from '../../demo.js'
import { METADATA_PATH } from '../../oauth/well-known.js'
import { describeFullAudit } from '../../stores/operation/audit.js'
import { inspectDatabase, openMigrated, type Stores } from '../../stores/stores.js'
import { checkClients } from './clients.js'
import { checkIssuer } from './issuer.js'
import { checkKeys } from './keys.js'
import { checkMail } from './mail.js'
import { checkProxy } from './proxy.js'

/** Runs every check of an installation, in order. The checks change nothing. */
export async function * examine (): AsyncGenerator<Finding> {
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
async function * checkDatabase (config: Config): AsyncGenerator<Finding, string[] | undefined> {
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

async function * checkContents (config: Config): AsyncGenerator<Finding, string[]> {
  const stores = await openMigrated(config.databaseUrl, config.database)
  try {
    yield * checkClients(await stores.clients.list(), config, stores.clock.now())
    yield * checkDemo(stores, config)
    yield checkAudit(await stores.audit.count(), config)
    const sets = await keySets(stores)
    const [accessTokens = [], ...idTokens] = await Promise.all(sets.map(({ keys }) => keys.list()))
    return yield * checkKeys(accessTokens, idTokens.flat(), config)
  } finally {
    await stores.close()
  }
}

/** Checks that production has no usable demo accounts. */
async function * checkDemo (stores: Stores, { production }: Pick<Config, 'production'>): AsyncGenerator<Finding> {
  const { ok, wrong } = findings('demo')
  if (!production) return
  try {
    await assertNoDemo(stores)
    yield ok('No demo account can be used.')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [sentence = '', commands] = error.message.split(/ (?=Run: )/)
    yield wrong(sentence, commands)
  }
}

/** Checks that the audit trail has room for more rows. */
export function checkAudit (rows: number, { auditMaxRows }: Pick<Config, 'auditMaxRows'>): Finding {
  const { ok, warning } = findings('audit')
  const full = describeFullAudit(rows, auditMaxRows)
  if (full === null) return ok('The audit trail has room for more rows.')
  return warning(`The audit trail ${full}.`, 'See docs/operations/incidents/long-audit-trail.md, or raise AUDIT_MAX_ROWS.')
}

/** Longest advisable lifetime of access tokens, in seconds: browsers leak them. */
const LONG_TTL = 3_600

/** Describes the tokens, and warns of a long lifetime. */
export function * checkTokenSettings (
  { accessTokenTtl, defaultAudience, issuer, signingAlg }: Pick<Config, 'accessTokenTtl' | 'defaultAudience' | 'issuer' | 'signingAlg'>
): Generator<Finding> {
  const { ok, warning } = findings('settings')
  const audience = `${defaultAudience} unless the client requests a resource`
  yield ok(`Tokens are signed with ${signingAlg}. Their iss is ${issuer}; their aud is ${audience}.`)
  if (accessTokenTtl > LONG_TTL) {
    yield warning(`Access tokens last ${accessTokenTtl} s, which is too long if one leaks.`,
      'Set ACCESS_TOKEN_TTL to 600, or at most 3600.')
  }
}
