import type { FastifyRequest } from 'fastify'
import type { RecordUse } from '../../consent/app-use.js'
import { endsWithSession, getsLogoutTokens, type ClientSessionStart } from '../../consent/client-session.js'
import { metricLabel } from '../../oauth/identity.js'
import type { AuthorizedRequest, ResponseType } from '../../response-types/response-type.js'
import type { Session } from '../../stores/sessions/session-list.js'
import { tokenIssued } from '../../telemetry/events.js'

export interface Issuing {
  readonly responseTypes: readonly ResponseType[]
  readonly recordUse: RecordUse
  readonly clientSessions: ClientSessionStart
}

/** An allowed request, and its browser session, which is required if the access ends with it. */
interface Allowed extends Omit<AuthorizedRequest, 'sid'> {
  readonly session?: Pick<Session, 'id' | 'sid'> | undefined
}

/**
 * Issues and audits the response to an allowed request; `null` if access was revoked in the meantime.
 * @throws OAuthError `spentForm` if the nonce or a pushed request is spent; `tooManyApps`, `tooManyOwnApps`
 */
export async function issueResponse (
  { responseTypes, recordUse, clientSessions }: Issuing,
  request: FastifyRequest,
  { session, ...consent }: Allowed,
  now: Date
): Promise<Record<string, string | number> | null> {
  await request.spendPushed(now)
  const { request: authorization } = consent
  const { client, scope, audience } = authorization
  // Before the grant: the clean-up removes unused clients.
  if (!await recordUse(client, consent.userId, now)) return null
  // as: the request was read with this list.
  const responseType = responseTypes.find(({ name }) => name === authorization.responseType) as ResponseType
  const lasting = getsLogoutTokens(authorization) ? session : undefined
  if (lasting !== undefined && !await clientSessions.inBrowser(client, lasting, consent.epoch, now)) return null
  const sid = endsWithSession(authorization) ? session?.sid ?? null : null
  const answer = await responseType.issue({ ...consent, sid }, now)
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
