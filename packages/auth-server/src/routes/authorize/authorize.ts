import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { page, pageOrProblem } from '../responses.js'

/** Parameters of `/authorize` (RFC 6749 §4.1.1, §4.2.1). The scope's hook checks them, by the rules of the RFC. */
export const AuthorizeQuery = Type.Object({
  response_type: Type.Optional(Type.String({
    description: '`code`: the authorization code grant; `token`, `id_token` or `id_token token`: the implicit grant. Required without `request_uri`.'
  })),
  request_uri: Type.Optional(Type.String({
    description: 'What `/par` returned. Replaces all other parameters but `client_id` (RFC 9126 §4).'
  })),
  client_id: Type.String({ description: 'Identifier of the registered application.' }),
  redirect_uri: Type.Optional(Type.String({
    description: 'Callback, identical to a registered one. Optional if exactly one is registered, unless the request returns an ID token or has the scope `openid`.'
  })),
  scope: Type.Optional(Type.String({
    description: 'Space-separated scopes; any string is accepted. Default: the client\'s default scopes.'
  })),
  state: Type.Optional(Type.String({ description: 'Returned unchanged.' })),
  response_mode: Type.Optional(Type.String({
    description: '`query`, the default for a code, `fragment`, the default for tokens, or `form_post`; `token` alone has only `fragment`.'
  })),
  code_challenge: Type.Optional(Type.String({ description: 'For a code: the verifier\'s SHA-256 digest, in base64url (RFC 7636).' })),
  code_challenge_method: Type.Optional(Type.String({ description: 'For a code: `S256`.' })),
  prompt: Type.Optional(Type.String({
    description: '`none`: show no page. `login`: require the password again. `consent`: show the consent page even if the user allowed ' +
      'everything before. `create`, with `SIGN_UP`: show the page that creates an account.'
  })),
  max_age: Type.Optional(Type.String({ description: 'Maximum time since the user entered the password, in seconds.' })),
  login_hint: Type.Optional(Type.String({ description: 'User name to prefill the form.' })),
  nonce: Type.Optional(Type.String({ description: 'Returned in the ID token (OpenID Connect Core §3.1.2.1).' })),
  claims: Type.Optional(Type.String({ description: 'Individual claims to return, as JSON (OpenID Connect Core §5.5).' })),
  ui_locales: Type.Optional(Type.String({ description: 'Languages of the pages, in order of preference (OpenID Connect Core §3.1.2.1).' })),
  acr_values: Type.Optional(Type.String({ description: 'Levels of the sign-in, in order of preference: values of the `acr` of tokens. The user needs the first one that they can reach.' })),
  id_token_hint: Type.Optional(Type.String({ description: 'An ID token for the user who must sign in.' })),
  dpop_jkt: Type.Optional(Type.String({ description: 'For a code: thumbprint of the DPoP key required to exchange it (RFC 9449 §10).' })),
  resource: Type.Optional(Type.String({ description: 'Resource that the token is for (RFC 8707).' }))
})

/**
 * `/authorize`: sends the browser to the consent page, or to the page that creates an account. Nothing is stored: the request is its
 * query string, or a form that becomes one (RFC 6749 §3.1).
 */
const authorize: FastifyPluginAsyncTypebox<{ issuer: string, source: 'query' | 'body' }> = async function authorize (
  fastify, { issuer, source }
) {
  const redirect = Type.Null({ description: 'Redirects to the consent page, with `prompt=create` to `/sign-up`, or with an error to the callback.' })
  const schema = { tags: ['OAuth 2.0'], response: { 200: page, '4xx': pageOrProblem, '5xx': pageOrProblem } }
  const route = source === 'query'
    ? { method: 'GET', code: 302, operationId: 'authorize', summary: 'Request access', querystring: AuthorizeQuery }
    : {
        method: 'POST',
        code: 303,
        operationId: 'authorizeByForm',
        summary: 'Request access with a form',
        consumes: ['application/x-www-form-urlencoded'],
        body: AuthorizeQuery
      }
  const { method, code, ...documentation } = route
  fastify.route({
    method,
    url: '/authorize',
    schema: { ...schema, ...documentation, response: { ...schema.response, [code]: redirect } },
    handler (request, reply) {
      const path = request.authorization.interaction.create ? '/sign-up' : '/consent'
      reply.header('cache-control', 'no-store').redirect(`${issuer}${path}?${request.rawQuery}`, code)
    }
  })
}
export default authorize
