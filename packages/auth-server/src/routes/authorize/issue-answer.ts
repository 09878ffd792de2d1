import type { FastifyRequest } from 'fastify'
import type { AuthorizedRequest, ResponseType } from '../../response-types/response-type.js'
import { tokenIssued } from '../../telemetry/events.js'

/**
 * Issues and audits an allowed request; `null` if access was revoked meanwhile.
 * @throws OAuthError `spentForm` if the nonce or a pushed request is spent
 */
export async function issueAnswer (
  responseTypes: readonly ResponseType[],
  request: FastifyRequest,
  consent: Omit<AuthorizedRequest, 'request'>,
  now: Date
): Promise<Record<string, string | number> | null> {
  await request.spendPushed(now)
  const { authorization } = request
  const { client, scope, audience } = authorization
  // as: the request was read with this list.
  const responseType = responseTypes.find(({ name }) => name === authorization.responseType) as ResponseType
  const answer = await responseType.issue({ request: authorization, ...consent }, now)
  if (answer === null) return null
  if ('access_token' in answer) tokenIssued.publish({ grantType: responseType.grantType, client: client.id })
  request.audit({
    event: 'grant',
    outcome: responseType.grantType,
    userId: consent.userId,
    clientId: client.id,
    details: { scope: scope.join(' '), audience, ...(consent.isSilent && { remembered: true }) }
  })
  return answer
}
