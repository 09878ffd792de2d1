import { Type, type Static } from '@sinclair/typebox'
import { MAX_LOGO } from '../../oauth/client-logo.js'
import { ID_TOKEN_ALGS } from '../../oauth/id-token-algs.js'
import { TOKEN_TTL } from '../../lifetimes.js'
import { DEFAULT_GRANT_TYPES, DEFAULT_IMPLICIT } from '../client/grant-types.js'
import { writePolicy } from '../client/implicit-policy.js'

const list = (description: string, usual: readonly string[] = []) =>
  Type.Optional(Type.Array(Type.String(), { uniqueItems: true, default: usual, description }))

/** An app in a clients file, with the field names of `client list --json`. */
export const ClientEntry = Type.Object({
  clientId: Type.String({ description: 'Identifier: 1 to 100 of the characters A-Z a-z 0-9 . _ -' }),
  name: Type.String({ description: 'Name on the consent page.' }),
  logo: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      default: null, description: `Its logo: PNG or WebP of at most ${MAX_LOGO} KB, as a data: URL in base64. null: none.`
    })
  ),
  callbacks: list('Redirect URIs, compared byte for byte.'),
  postLogoutRedirectUris: list('Where it may have the browser sent after sign-out, compared byte for byte.'),
  resources: list('Resources that it may request tokens for (RFC 8707), in addition to the default audience.'),
  defaultScope: Type.Optional(Type.String({ default: '', description: 'Space-separated scopes of requests without a scope.' })),
  allowedScope: Type.Optional(
    Type.String({ default: '*', description: 'Space-separated scopes that it can request; *: any.' })
  ),
  accessTokenTtl: Type.Optional(
    Type.Union([Type.Integer(TOKEN_TTL), Type.Null()], {
      default: null, description: 'Lifetime of its access tokens in seconds; null: the server default.'
    })
  ),
  implicit: Type.Optional(
    Type.String({
      default: writePolicy(DEFAULT_IMPLICIT),
      pattern: '^(allowed|warn|off|until \\d{4}-\\d\\d-\\d\\d(T\\S+)?)$',
      description: 'Whether it can use the implicit grant: allowed, warn, until <date>, or off.'
    })
  ),
  grantTypes: list('Grant types that it may use at the token endpoint, such as authorization_code.', DEFAULT_GRANT_TYPES),
  tokenEndpointAuthMethod: Type.Optional(
    Type.String({
      default: 'none',
      description: 'How it authenticates at the token endpoint, such as client_secret_basic. client secret add creates its secrets.'
    })
  ),
  pkce: Type.Optional(
    Type.Union([Type.Literal('required'), Type.Literal('optional')], {
      default: 'required',
      description: 'Whether its authorization requests need PKCE; optional only for an app that authenticates.'
    })
  ),
  requirePushedAuthorizationRequests: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether it must push its authorization requests (RFC 9126).' })
  ),
  dpopBoundAccessTokens: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether its access tokens must be bound to a key (DPoP, RFC 9449).' })
  ),
  profile: Type.Optional(Type.Union([Type.Literal('fapi2'), Type.Null()], {
    default: null, description: 'Additional rules: those of the FAPI 2.0 Security Profile.'
  })),
  jwks: Type.Optional(
    Type.Union(
      [
        Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true }), { minItems: 1 }) }),
        Type.Null()
      ],
      { default: null, description: 'Its public keys, a JWK Set, for private_key_jwt.' }
    )
  ),
  jwksUri: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { default: null, description: 'Where it publishes its public keys, instead of jwks: https.' })
  ),
  idTokenSignedResponseAlg: Type.Optional(
    Type.Union(ID_TOKEN_ALGS.map(alg => Type.Literal(alg)), { default: 'RS256', description: 'Algorithm that signs its ID tokens.' })
  ),
  idTokenClaims: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether its ID tokens have the claims of granted scopes, for libraries that do not read /userinfo.' })
  ),
  userinfoSignedResponseAlg: Type.Optional(
    Type.Union([...ID_TOKEN_ALGS.map(alg => Type.Literal(alg)), Type.Null()], {
      default: null, description: 'Algorithm that signs /userinfo responses. null: they are JSON.'
    })
  ),
  subjectType: Type.Optional(
    Type.Union([Type.Literal('public'), Type.Literal('pairwise')], {
      default: 'public', description: 'Whether it sees the same sub for a user as other apps.'
    })
  ),
  sectorIdentifier: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      default: null, description: 'Host name: pairwise apps with the same one see the same sub for a user. null: the host of the callbacks.'
    })
  ),
  backchannelLogoutUri: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { default: null, description: 'Address for logout tokens. null: none are sent.' })
  ),
  backchannelLogoutSessionRequired: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether it requires sid in logout tokens. They always have one.' })
  ),
  native: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether it runs on the user\'s device: loopback callbacks match with any port.' })
  ),
  disabled: Type.Optional(Type.Boolean({ default: false, description: 'Whether all its requests are refused.' }))
}, { additionalProperties: false })

/** An app with every field. */
export type ClientEntry = Required<Static<typeof ClientEntry>>

/** A role in a clients file. */
export const RoleEntry = Type.Object({
  name: Type.String({ description: 'Name: 1 to 100 of the characters A-Z a-z 0-9 . _ -' }),
  scopes: Type.String({ description: 'Space-separated scopes that a user can grant only with this role, or with another role that has them.' })
}, { additionalProperties: false })
export type RoleEntry = Static<typeof RoleEntry>

/** A clients file: `export` prints it, `apply` reads it. */
export const ClientsFile = Type.Object({
  clients: Type.Array(ClientEntry, { description: 'The apps to register.' }),
  roles: Type.Optional(Type.Array(RoleEntry, { description: 'The roles. If omitted, roles are not changed.' }))
}, { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Apps of a Frontdesk auth-server', additionalProperties: false })
export type ClientsFile = Static<typeof ClientsFile>

/** Values of omitted fields: those of the schema. as: every optional field has a default, which its type allows. */
export const defaults = Object.fromEntries(Object.entries(ClientEntry.properties).flatMap(([name, { default: value }]) =>
  value === undefined ? [] : [[name, value]])) as Omit<ClientEntry, 'clientId' | 'name'>
