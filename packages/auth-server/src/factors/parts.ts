import type { Config } from '../config.js'
import { openDataKey } from '../keys/data-key.js'
import { siteName } from '../settings/site-name.js'
import type { Stores } from '../stores/stores.js'
import { createEnrollments } from './enrollment.js'
import { createFactors } from './index.js'
import { createPasskeyEnrollments } from './passkey-enrollment.js'
import { createRelyingParty } from './relying-party.js'
import { createSetUpRule } from './set-up-rule.js'

/** Opens what checks factors and sets them up. @throws if SECRET_KEY is not the one that encrypted the key of the authenticator apps */
export async function openFactorParts (stores: Pick<Stores, 'factors' | 'users'>, config: Config) {
  const [site, key] = [siteName(config), await openDataKey(stores.factors.key, config, 'factors')]
  const relyingParty = createRelyingParty({ ...config, site })
  const rule = createSetUpRule({ ...stores, ...config, sendsMail: config.mail !== undefined })
  return {
    relyingParty,
    factors: createFactors(stores.factors, key, relyingParty),
    rule,
    enrollments: createEnrollments({ stores, rule, secrets: config, key, site }),
    passkeyEnrollments: createPasskeyEnrollments({ ...stores.factors, relyingParty, rule })
  }
}
