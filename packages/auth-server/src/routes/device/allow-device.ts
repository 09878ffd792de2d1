import { timeId } from '@frontdesk/service-kit/time-id'
import type { FastifyRequest } from 'fastify'
import { FORM_TOKEN_TTL } from '../../lifetimes.js'
import { DEVICE_CODE } from '../../oauth/device-grant.js'
import { parseScope, withoutWithheld } from '../../oauth/scope.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import type { RecordUse } from '../../consent/app-use.js'
import { getsLogoutTokens, type ClientSessionStart } from '../../consent/client-session.js'
import type { Clients } from '../../stores/clients.js'
import type { DeviceCodes, DeviceRequest } from '../../stores/device-codes.js'

/** A person who allows a request, and when they signed in. */
export interface Decider {
  readonly userId: string
  readonly username: string
  readonly authTime: Date
  /** Sum of the access epochs of the person, the client and the person at the client, read before. */
  readonly epoch: number
  /** Scopes that the user cannot grant, space-separated; `null`: none. */
  readonly withheld: string | null
}

/** The request of a device that a person allows. */
interface Allowed {
  readonly userCode: string
  readonly asked: DeviceRequest
  readonly decider: Decider
  /** Of the form token. */
  readonly nonce: string
}

/** What a decision is recorded with. */
export interface DeviceParts {
  readonly clients: Pick<Clients, 'find'>
  readonly recordUse: RecordUse
  readonly clientSessions: ClientSessionStart
  readonly deviceCodes: Pick<DeviceCodes, 'allow'>
}

/**
 * Records and audits that a person has allowed the request of a device. Atomic: exactly one decision is made.
 * @throws OAuthError `tooManyOwnApps`
 */
export async function allowDevice (
  { clients, recordUse, clientSessions, deviceCodes }: DeviceParts,
  { userCode, asked, decider: { userId, authTime, epoch, withheld }, nonce }: Allowed,
  request: FastifyRequest,
  now: Date
): Promise<'allowed' | 'decided' | 'ended'> {
  const { clientId, audience } = asked
  const granted = withoutWithheld(parseScope(asked.scope), withheld)
  const scope = granted.join(' ')
  const id = timeId(now)
  const client = await clients.find(clientId)
  if (client !== null && !await recordUse(client, userId, now)) return 'ended'
  if (client !== null && getsLogoutTokens({ client, scope: granted }) &&
    !await clientSessions.onDevice(client, { id, userId, epoch }, now)) return 'ended'
  const outcome = await deviceCodes.allow(hashOpaqueToken(userCode), {
    ...asked,
    scope,
    id,
    nonceHash: hashOpaqueToken(nonce),
    userId,
    responseType: 'device_code',
    createdAt: now,
    expiresAt: new Date(now.getTime() + FORM_TOKEN_TTL * 1_000),
    epoch,
    isSilent: false
  }, authTime, now)
  if (outcome === 'allowed') {
    request.audit({ event: 'grant', outcome: DEVICE_CODE, userId, clientId, details: { scope, audience } })
  }
  return outcome
}
