import { errors, dpopProofError, parameterError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import type { GrantParts, Issued, TokenRequest } from './grant-type.js'
import { grantTypes } from './index.js'

/** Issues tokens to an authenticated client by its grant type. @throws OAuthError of RFC 6749 §5.2 */
export async function exchange (parts: GrantParts, request: TokenRequest): Promise<Issued> {
  const facts = { client: request.client.id }
  const name = single(request.form, 'grant_type')
  if (name === undefined) throw parameterError('grant_type', 'is missing', undefined, facts)
  const grantType = grantTypes.find(it => it.name === name)
  if (grantType === undefined) throw errors.unsupportedGrantType('grant_type is not supported', facts)
  if (!request.client.grantTypes.includes(name)) throw errors.unauthorizedGrant(`the client is not allowed to use ${name}`, facts)
  if (request.client.dpopBoundAccessTokens && request.jkt === undefined) throw dpopProofError('The client must send a DPoP proof.', undefined, facts)
  return await grantType.issue(parts, request)
}
