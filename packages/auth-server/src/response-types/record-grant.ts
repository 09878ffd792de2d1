import { errors } from '../oauth/errors.js'
import type { Grants, NewGrant, Recorded } from '../stores/grants/grants.js'

/** Records a grant; `null` if access was revoked in the meantime. @throws OAuthError `spentForm` if its nonce is spent */
export async function recordGrant (grants: Grants, grant: NewGrant): Promise<Recorded | null> {
  const recorded = await grants.add(grant)
  if (recorded === null && await grants.isSpent(grant.nonceHash)) throw errors.spentForm('the nonce is spent')
  return recorded
}
