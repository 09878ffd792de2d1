import { timeId } from '@frontdesk/service-kit/time-id'
import type { FastifyRequest } from 'fastify'
import { FORM_TOKEN_TTL } from '../../lifetimes.js'
import { DEVICE_CODE } from '../../oauth/device-grant.js'
import { parseScope, withoutWithheld } from '../../oauth/scope.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import type { DeviceCodes, DeviceRequest } from '../../stores/device-codes.js'

/** A person who allows a request, and when they signed in. */
export interface Decider {
  readonly userId: string
  readonly authTime: Date
  /** Sum of the access epochs of the person, the client and the person at the client, read before. */
  readonly epoch: number
  /** Scopes that the person may not grant, space-separated; `null`: none. */
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

/** Records and audits that a person has allowed the request of a device. Atomic: exactly one decision is made. */
export async function allowDevice (
  deviceCodes: Pick<DeviceCodes, 'allow'>,
  { userCode, asked, decider: { userId, authTime, epoch, withheld }, nonce }: Allowed,
  request: FastifyRequest,
  now: Date
): Promise<'allowed' | 'decided' | 'ended'> {
  const scope = withoutWithheld(parseScope(asked.scope), withheld).join(' ')
  const outcome = await deviceCodes.allow(hashOpaqueToken(userCode), {
    ...asked,
    scope,
    id: timeId(now),
    nonceHash: hashOpaqueToken(nonce),
    userId,
    responseType: 'device_code',
    createdAt: now,
    expiresAt: new Date(now.getTime() + FORM_TOKEN_TTL * 1_000),
    epoch,
    isSilent: false
  }, authTime, now)
  const { clientId, audience } = asked
  if (outcome === 'allowed') {
    request.audit({ event: 'grant', outcome: DEVICE_CODE, userId, clientId, details: { scope, audience } })
  }
  return outcome
}
