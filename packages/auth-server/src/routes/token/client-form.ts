import { Type } from '@sinclair/typebox'

/** Client credentials in a form (RFC 6749 §2.3.1, RFC 7523 §2.2). */
export const ClientForm = Type.Object({
  client_id: Type.Optional(Type.String({ description: 'Identifier of the application, unless it authenticates in another way.' })),
  client_secret: Type.Optional(Type.String({ description: 'Its secret, unless it is in the `Authorization` header.' })),
  client_assertion_type: Type.Optional(Type.String({
    description: '`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`, for `private_key_jwt`.'
  })),
  client_assertion: Type.Optional(Type.String({ description: 'JWT that the client signed.' }))
})

/** The header with a DPoP proof (RFC 9449 §4.1). */
export const DpopHeader = Type.Object({
  dpop: Type.Optional(Type.String({ description: 'DPoP proof (RFC 9449): binds the tokens to its key.' }))
})

/** The form of `/revoke` and `/introspect` (RFC 7009 §2.1, RFC 7662 §2.1). */
export const OneTokenForm = Type.Composite([ClientForm, Type.Object({
  token: Type.String({ description: 'An access token or a refresh token.' }),
  token_type_hint: Type.Optional(Type.String({ description: 'Ignored: the server recognises the token.' }))
})])

const tokenError = Type.Object({
  error: Type.String({ description: 'Error code.' }),
  error_description: Type.String({ description: 'What it means, fixed for each code and parameter.' })
}, { description: 'An error (RFC 6749 §5.2).' })

/** What the schemas of endpoints for clients have in common. */
export const clientEndpoint = {
  security: [{ clientSecretBasic: [] }, {}],
  tags: ['OAuth 2.0'],
  consumes: ['application/x-www-form-urlencoded']
}

/** Error responses of endpoints for clients. */
export const tokenErrors = { '4xx': tokenError, '5xx': tokenError }
