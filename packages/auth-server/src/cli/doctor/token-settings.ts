import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import type { Config } from '../../config.js'

/** Longest advisable lifetime of access tokens, in seconds: browsers leak them. */
const LONG_TTL = 3_600

/** Says what the tokens are like, and warns of a long lifetime. */
export function * checkTokenSettings (
  { accessTokenTtl, defaultAudience, issuer, signingAlg }: Pick<Config, 'accessTokenTtl' | 'defaultAudience' | 'issuer' | 'signingAlg'>
): Generator<Finding> {
  const { ok, warning } = findings('settings')
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
