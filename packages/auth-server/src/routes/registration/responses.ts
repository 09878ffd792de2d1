import { readAuthorization, challenge } from '@frontdesk/service-kit/access-token/authorization'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type OAuthError } from '../../oauth/errors.js'
import { ClientMetadata } from '../../registration/client-metadata.js'
import type { describeRegistration } from '../../registration/describe-registration.js'

/** A registered client (RFC 7591 §3.2.1, RFC 7592 §3). */
export const ClientInformation = Type.Composite([
  Type.Object({
    client_id: Type.String({ description: 'Identifier of the app.' }),
    client_id_issued_at: Type.Integer({ description: 'Registration time, in seconds since 1970.' }),
    client_secret: Type.Optional(Type.String({ description: 'Its secret, unless an operator has replaced it.' })),
    client_secret_expires_at: Type.Optional(Type.Integer({ description: '0: the secret does not expire.' })),
    registration_client_uri: Type.String({ description: 'Address of this registration.' }),
    registration_access_token: Type.String({ description: 'Token for that address. A change replaces it.' })
  }),
  ClientMetadata
])

/** The whole registration (RFC 7592 §3). */
export function describeClient (metadata: ReturnType<typeof describeRegistration>, accessToken: string, secret: string | undefined) {
  return {
    ...metadata,
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: accessToken
  }
}

/** An error (RFC 7591 §3.2.2). */
export const registrationError = Type.Object({
  error: Type.String({ description: '`invalid_redirect_uri`, `invalid_client_metadata` or, for the token, `invalid_token` (RFC 6750 §3.1).' }),
  error_description: Type.String({ description: 'What is wrong.' })
}, { description: 'An error (RFC 7591 §3.2.2).' })

/** The token of the `Authorization` header (RFC 6750 §2.1); `undefined` without one. */
export function readBearer ({ headers: { authorization } }: FastifyRequest): string | undefined {
  const sent = readAuthorization(authorization)
  return sent?.scheme === 'Bearer' && 'token' in sent ? sent.token : undefined
}

/** Makes the error for a missing or wrong token, and its challenge (RFC 6750 §3). */
export function tokenError (reply: FastifyReply, reason: string, facts?: OAuthError['facts']): OAuthError {
  const { authorization } = reply.request.headers
  const error = authorization === undefined ? undefined : 'invalid_token'
  reply.header('www-authenticate', challenge('Bearer', { realm: 'registration', error }))
  return errors[authorization === undefined ? 'registrationTokenMissing' : 'registrationTokenInvalid'](reason, facts)
}
