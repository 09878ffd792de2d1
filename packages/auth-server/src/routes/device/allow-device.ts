import { timeId } from '@frontdesk/service-kit/time-id'
import type { FastifyRequest } from 'fastify'
import { after, FORM_TOKEN_TTL } from '../../lifetimes.js'
import { DEVICE_CODE } from '../../oauth/grant-types.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import type { Decision } from '../../consent/decide.js'
import type { RequestedAccess } from '../../consent/identify.js'
import { getsLogoutTokens } from '../../consent/client-session.js'
import type { DeviceCodes, DeviceRequest } from '../../stores/grants/device-codes.js'
import type { Issuing } from '../authorize/issue-response.js'

/** The access that a device requests. */
export interface RequestedDevice extends RequestedAccess {
  readonly userCode: string
  readonly request: DeviceRequest
}

/**
 * Atomic: records and audits that a user has allowed a device's request. Exactly one concurrent decision succeeds.
 * @throws OAuthError `tooManyOwnApps`
 */
export async function allowDevice (
  { recordUse, clientSessions, deviceCodes }: Pick<Issuing, 'recordUse' | 'clientSessions'> & { deviceCodes: Pick<DeviceCodes, 'allow'> },
  request: FastifyRequest,
  { requested, decider, scope: granted, nonce }: Extract<Decision<RequestedDevice>, { outcome: 'allow' }>,
  now: Date
): Promise<'allowed' | 'decided' | 'ended'> {
  const { client, userCode, request: { audience } } = requested
  const { userId, epoch } = decider
  const scope = granted.join(' ')
  const id = timeId(now)
  if (!await recordUse(client, userId, now)) return 'ended'
  if (getsLogoutTokens({ client, scope: granted }) && !await clientSessions.onDevice(client, { id, userId, epoch }, now)) return 'ended'
  const outcome = await deviceCodes.allow(hashOpaqueToken(userCode), {
    clientId: client.id,
    audience,
    scope,
    id,
    nonceHash: hashOpaqueToken(nonce),
    userId,
    responseType: 'device_code',
    createdAt: now,
    expiresAt: after(now, FORM_TOKEN_TTL),
    epoch,
    isSilent: false
  }, decider, now)
  if (outcome === 'allowed') {
    request.audit({ event: 'grant', outcome: DEVICE_CODE, userId, clientId: client.id, details: { scope, audience } })
  }
  return outcome
}
