import { describeMisspelled } from '@frontdesk/service-kit/misspelled'
import { ConfigError } from '@frontdesk/service-kit/settings'
import { describeSource } from '@frontdesk/service-kit/doctor/settings-source'
import { loadConfig, Settings, type Config } from '../../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'

const { ok, warning, wrong } = findings('settings')

/** Longest advisable lifetime of access tokens, in seconds: browsers leak them. */
const LONG_TTL = 3_600

/** Reads and checks the settings of the environment. */
export function readSettings (): { config: Config | undefined, found: Finding[] } {
  const source = describeSource(Object.keys(Settings.properties))
  try {
    const config = loadConfig()
    return { config, found: [source, ...judge(config)] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: undefined, found: [source, ...error.sentences.map(sentence => wrong(sentence))] }
  }
}

function * judge ({ production, accessTokenTtl, defaultAudience, issuer, signingAlg, misspelled }: Config): Generator<Finding> {
  yield ok(production
    ? 'The settings can be used in production.'
    : 'The settings can be used for development; ENVIRONMENT=production requires more.')
  yield * misspelled.map(it => warning(describeMisspelled(it), 'Rename the variable, or remove it.'))
  yield ok(
    `Tokens are signed with ${signingAlg}. Their iss is ${issuer}; their aud is ${defaultAudience} unless the app requests a resource.`
  )
  if (accessTokenTtl > LONG_TTL) {
    yield warning(
      `Access tokens last ${accessTokenTtl} s, which is too long if one leaks.`,
      'Set ACCESS_TOKEN_TTL to 600, or at most 3600.'
    )
  }
}
