import { loadConfig, Settings } from '../../config.js'
import { judgeDatabase } from '@frontdesk/service-kit/doctor/database'
import { explainDatabase } from '@frontdesk/service-kit/doctor/database-error'
import type { Finding } from '@frontdesk/service-kit/doctor/finding'
import { checkSettings } from '@frontdesk/service-kit/doctor/settings'
import { checkRunning } from '@frontdesk/service-kit/doctor/running'
import { inspectDatabase } from '../../stores/maintain.js'
import { checkAccess } from './access.js'
import { checkIssuer } from './issuer.js'
import { checkKeys } from './keys.js'
import { checkPlace } from './place.js'
import { checkRevocations } from './revocations.js'
import { checkStandby } from './standby.js'
import { checkToken } from './token.js'

/** Runs every check of an installation, in order. They are read-only. */
export async function * examine (token: string | undefined): AsyncGenerator<Finding> {
  const config = yield * checkSettings(Object.keys(Settings.properties), loadConfig)
  if (config === undefined) return
  yield * checkAccess(config)
  if (config.auth !== null) {
    const namedJwks = yield * checkIssuer(config.auth)
    yield * checkKeys(config.auth, namedJwks, config.production)
    yield * checkRevocations(config.auth)
    yield * checkToken(config.auth, token)
  }
  try {
    yield * judgeDatabase(config.databaseUrl, await inspectDatabase(config))
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
