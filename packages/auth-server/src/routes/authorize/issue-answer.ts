import type { FastifyRequest } from 'fastify'
import { isSelfRegistered, metricLabel } from '../../oauth/identity.js'
import type { AuthorizedRequest, ResponseType } from '../../response-types/response-type.js'
import type { Registrations } from '../../stores/registrations.js'
import { tokenIssued } from '../../telemetry/events.js'

/** What answers are issued with. */
export interface Issuing {
  readonly responseTypes: readonly ResponseType[]
  readonly registrations: Pick<Registrations, 'use'>
}

/**
 * Issues and audits an allowed request; `null` if access was revoked meanwhile.
 * @throws OAuthError `spentForm` if the nonce or a pushed request is spent
 */
export async function issueAnswer (
  { responseTypes, registrations }: Issuing,
  request: FastifyRequest,
  consent: Omit<AuthorizedRequest, 'request'>,
  now: Date
): Promise<Record<string, string | number> | null> {
  await request.spendPushed(now)
  const { authorization } = request
  const { client, scope, audience } = authorization
  // Before the grant: the clean-up removes apps that are not used.
  if (isSelfRegistered(client) && !await registrations.use(client, now)) return null
  // as: the request was read with this list.
  const responseType = responseTypes.find(({ name }) => name === authorization.responseType) as ResponseType
  const answer = await responseType.issue({ request: authorization, ...consent }, now)
  if (answer === null) return null
  if ('access_token' in answer) tokenIssued.publish({ grantType: responseType.grantType, client: metricLabel(client) })
  request.audit({
    event: 'grant',
    outcome: responseType.grantType,
    userId: consent.userId,
    clientId: client.id,
    details: { scope: scope.join(' '), audience, ...(consent.isSilent && { remembered: true }) }
  })
  return answer
}
