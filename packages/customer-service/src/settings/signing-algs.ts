import { signingAlgs } from '@frontdesk/schemas/jwks'
import { joinOr } from '@frontdesk/service-kit/join-or'
import { text } from '@frontdesk/service-kit/settings'

/** Any of the algorithms, as a pattern. */
const ALG = `(${signingAlgs.join('|')})`

/** The setting of the algorithms of access tokens. */
export const signingAlgsSetting = {
  SIGNING_ALGS: text('Accepted signing algorithms.', `be a comma-separated list of ${joinOr(signingAlgs)}`, {
    pattern: `^${ALG}( *, *${ALG})*$`, default: signingAlgs.join(',')
  })
}
