import { ConfigError } from '@frontdesk/service-kit/settings'
import { loadConfig, Settings, type Config } from '../../config.js'
import { compareClocks } from '@frontdesk/service-kit/doctor/clock'
import { judgeDatabase } from '@frontdesk/service-kit/doctor/database'
import { explainDatabase } from '@frontdesk/service-kit/doctor/database-error'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { describeSource } from '@frontdesk/service-kit/doctor/settings-source'
import { checkRunning } from '@frontdesk/service-kit/doctor/running'
import { describeMisspelled } from '@frontdesk/service-kit/misspelled'
import { inspectDatabase } from '../../stores/maintain.js'
import { checkAccess } from './access.js'
import { checkIssuer } from './issuer.js'
import { checkKeys } from './keys.js'
import { checkPlace } from './place.js'
import { checkRevocations } from './revocations.js'
import { checkStandby } from './standby.js'
import { checkToken } from './token.js'

/** Runs every check of an installation, in order. The checks change nothing. */
export async function * examine (token: string | undefined): AsyncGenerator<Finding> {
  const config = yield * readSettings()
  if (config === undefined) return
  yield * checkAccess(config)
  if (config.auth !== null) {
    const namedJwks = yield * checkIssuer(config.auth)
    yield * checkKeys(config.auth, namedJwks, config.production)
    yield * checkRevocations(config.auth)
    yield * checkToken(config.auth, token)
  }
  try {
    const state = await inspectDatabase(config)
    yield * judgeDatabase(config.databaseUrl, state)
    if (state.ahead !== undefined) yield compareClocks('database-clock', 'the database', state.ahead)
    yield * checkStandby(config)
  } catch (error) {
    yield explainDatabase(config.databaseUrl, error)
  }
  yield * checkPlace(config)
  yield * checkRunning(config, config.auth === null
    ? undefined
    : {
        path: '/.well-known/oauth-protected-resource',
        settings: {
          AUDIENCE: { member: 'resource', value: config.auth.audience },
          ISSUER: { member: 'authorization_servers', value: config.auth.issuer }
        }
      })
}

function * readSettings (): Generator<Finding, Config | undefined> {
  const { ok, warning, wrong, unchecked } = findings('settings')
  yield describeSource(Object.keys(Settings.properties))
  try {
    const config = loadConfig()
    yield ok(config.production
      ? 'The settings can be used in production.'
      : 'The settings can be used for development; ENVIRONMENT=production requires more.')
    yield * config.misspelled.map(it => warning(describeMisspelled(it), 'Rename the variable, or remove it.'))
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield * error.sentences.map(sentence => wrong(sentence))
    yield unchecked('Nothing else was checked.', 'Fix the settings, then run doctor again.')
    return undefined
  }
}
