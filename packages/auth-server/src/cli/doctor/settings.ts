import { ConfigError } from '@frontdesk/service-kit/settings'
import { loadConfig, type Config } from '../../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'

const { ok, warning, wrong } = findings('settings')

/** Longer, in seconds, and a token that leaked from a browser is good for too long. */
const LONG_TTL = 3_600

/** The settings of the environment, and whether a server can run with them. */
export function readSettings (): { config: Config | undefined, found: Finding[] } {
  try {
    const config = loadConfig()
    return { config, found: [...judge(config)] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: undefined, found: error.sentences.map(sentence => wrong(sentence)) }
  }
}

function * judge ({ production, accessTokenTtl, defaultAudience, issuer, signingAlg }: Config): Generator<Finding> {
  yield ok(production
    ? 'The settings can be used in production.'
    : 'The settings can be used for development; ENVIRONMENT=production would demand more.')
  yield ok(`Tokens are signed with ${signingAlg}, say ${issuer} as iss, and ${defaultAudience} as aud where the app names no resource.`)
  if (accessTokenTtl > LONG_TTL) yield warning(`Access tokens last ${accessTokenTtl} s, which is long for one that leaks.`, 'Set ACCESS_TOKEN_TTL to 600, or at most 3600.')
}
