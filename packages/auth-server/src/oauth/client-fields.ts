import { Type } from '@sinclair/typebox'
import { TOKEN_TTL } from '../lifetimes.js'
import { choice, field, list, nullable, optional, written, yesOrNo } from './client-field.js'
import { MAX_LOGO } from './client-logo.js'
import { DEVICE_CODE } from './grant-types.js'
import { ID_TOKEN_ALGS } from './id-token-algs.js'
import { signInFields } from './sign-in-fields.js'

const JwkSet = Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true }), { minItems: 1 }) })

/** The fields of a client, in the order of the docs. Everything that reads, writes, shows or stores a client derives from this table. */
export const clientFields = {
  clientId: written(Type.String(), { says: 'Identifier: 1 to 100 ASCII letters, digits, periods, underscores and hyphens' }),
  name: field(Type.String(), {
    says: 'Name on the consent page',
    wire: { name: 'client_name', default: 'the host of the first callback' },
    flag: '--name <text>',
    show: ['Name']
  }),
  logo: written(nullable(Type.String()), {
    says: `Its logo: PNG or WebP, at most ${MAX_LOGO} KB`,
    note: ', as a data: URL in base64',
    default: null,
    null: 'none',
    flag: '--logo <file>',
    no: 'it has no logo',
    show: ['Logo']
  }),
  callbacks: list({
    says: 'Redirect URIs, compared byte for byte',
    table: 'client_callback',
    wire: 'redirect_uris',
    flag: '--callback <uri>',
    item: 'callback',
    option: 'redirect URI, compared byte for byte',
    show: ['Callbacks']
  }),
  postLogoutRedirectUris: list({
    says: 'Where it may have the browser sent after sign-out, compared byte for byte',
    table: 'client_post_logout_uri',
    wire: 'post_logout_redirect_uris',
    flag: '--post-logout-redirect-uri <uri>',
    item: 'post-logout redirect URI',
    show: ['After sign-out']
  }),
  resources: list({
    says: 'Resources that it may request tokens for (RFC 8707), in addition to the default audience',
    table: 'client_resource',
    flag: '--resource <uri>',
    item: 'resource',
    no: 'it may request tokens for the default audience only',
    show: ['Resources']
  }),
  defaultScope: field(Type.String(), {
    says: 'Space-separated scopes of requests without a scope',
    default: '',
    wire: 'scope',
    flag: '--default-scope <scope>',
    item: 'default scope',
    usual: 'none',
    show: ['Default scope', scope => scope || 'none']
  }),
  allowedScope: optional(Type.String(), {
    says: 'Space-separated scopes that it can request; *: any',
    file: Type.String({ default: '*' }),
    flag: '--allowed-scope <scope>',
    item: 'allowed scope',
    show: ['Allowed scope', scope => scope ?? 'any']
  }),
  ...signInFields,
  accessTokenTtl: optional(Type.Integer(TOKEN_TTL), {
    says: 'Lifetime of its access tokens in seconds',
    null: 'that of the server',
    flag: '--access-token-ttl <seconds>',
    no: 'its access tokens have the lifetime of ACCESS_TOKEN_TTL',
    show: ['Token lifetime', ttl => ttl === null ? 'server default' : `${ttl} s`]
  }),
  implicit: field(choice('allowed', 'warn', 'until', 'off'), {
    says: 'Whether it can use the implicit grant: allowed, warn, until <date>, or off',
    default: 'off',
    file: Type.String({ default: 'off', pattern: '^(allowed|warn|off|until \\d{4}-\\d\\d-\\d\\d(T\\S+)?)$' }),
    flag: '--implicit <policy>',
    option: 'allowed, warn, "until <date>" or off',
    usual: 'allowed with --grant implicit, else off',
    no: 'same as --implicit off',
    show: ['Implicit grant']
  }),
  grantTypes: list({
    says: 'Grant types that it may use at the token endpoint, such as authorization_code',
    default: ['authorization_code'],
    wire: { name: 'grant_types', note: '. Types that cannot be registered here are omitted' },
    flag: '--grant <grant>',
    item: 'grant',
    option: `authorization_code, refresh_token, client_credentials, ${DEVICE_CODE} or implicit`,
    show: ['Grant types']
  }),
  tokenEndpointAuthMethod: field(Type.String(), {
    says: 'How it authenticates at the token endpoint',
    note: ', such as client_secret_basic. client secret add creates its secrets',
    default: 'none',
    wire: { name: 'token_endpoint_auth_method', default: 'client_secret_basic' },
    flag: '--auth-method <method>',
    usual: 'client_secret_basic if confidential, private_key_jwt with keys, else none',
    show: ['Authentication', method => method === 'none' ? 'none (public client)' : method]
  }),
  pkce: field(choice('required', 'optional'), {
    says: 'Whether its authorization requests need PKCE; optional only for a client that authenticates',
    default: 'required',
    flag: '--pkce <policy>',
    show: ['PKCE']
  }),
  requirePushedAuthorizationRequests: yesOrNo({
    says: 'Whether it must push its authorization requests (RFC 9126)',
    wire: 'require_pushed_authorization_requests',
    flag: '--require-par',
    no: 'it may send its authorization requests by the browser',
    show: ['Requests', isOn => isOn ? 'must be pushed (RFC 9126)' : 'by the browser or pushed']
  }),
  dpopBoundAccessTokens: yesOrNo({
    says: 'Whether it must bind its access tokens to a key (DPoP, RFC 9449)',
    wire: 'dpop_bound_access_tokens',
    flag: '--require-dpop',
    no: 'it may use bearer tokens',
    show: ['Access tokens', isOn => isOn ? 'must be bound to a key (DPoP, RFC 9449)' : 'bearer, or bound to a key if it sends a DPoP proof']
  }),
  profile: optional(choice('fapi2'), {
    says: 'Additional rules: those of the FAPI 2.0 Security Profile',
    show: ['Profile', profile => profile === null ? undefined : 'FAPI 2.0 Security Profile']
  }),
  jwks: optional(Type.String(), {
    says: 'Its public keys, a JWK Set, for private_key_jwt', file: nullable(JwkSet), wire: 'jwks', flag: '--jwks <file>'
  }),
  jwksUri: optional(Type.String(), {
    says: 'Where it publishes its public keys, instead of jwks: https',
    wire: { name: 'jwks_uri', note: ', in a public network' },
    flag: '--jwks-uri <uri>',
    show: ['Keys', uri => uri === null ? undefined : `published at ${uri}`]
  }),
  idTokenSignedResponseAlg: field(choice(...ID_TOKEN_ALGS), {
    says: 'Algorithm that signs its ID tokens',
    default: 'RS256',
    wire: 'id_token_signed_response_alg',
    flag: '--id-token-alg <alg>',
    show: ['ID tokens']
  }),
  idTokenClaims: yesOrNo({
    says: 'Whether its ID tokens have the claims of granted scopes, for libraries that do not read /userinfo',
    flag: '--id-token-claims',
    no: 'only /userinfo has them'
  }),
  userinfoSignedResponseAlg: optional(choice(...ID_TOKEN_ALGS), {
    says: 'Algorithm that signs /userinfo responses',
    null: 'none; they are JSON',
    wire: 'userinfo_signed_response_alg',
    flag: '--userinfo-alg <alg>',
    no: '/userinfo responses are JSON',
    show: ['Userinfo', alg => alg === null ? 'JSON' : `JWT, signed with ${alg}`]
  }),
  subjectType: written(choice('public', 'pairwise'), {
    says: 'pairwise: clients of other sectors see another sub for the same user',
    default: 'public',
    wire: { name: 'subject_type', note: '. Requires callbacks on one https host' },
    flag: '--subject-type <type>'
  }),
  sectorIdentifier: optional(Type.String(), {
    says: 'Host name: pairwise clients with the same one see the same sub for a user',
    null: 'the host of the callbacks',
    flag: '--sector-identifier <host>',
    show: ['Subjects', sector => sector === null ? 'public' : `pairwise, the same for all clients of the sector ${sector}`]
  }),
  backchannelLogoutUri: optional(Type.String(), {
    says: 'Where its logout tokens are sent when sessions end (OpenID Connect Back-Channel Logout)',
    null: 'none are sent',
    wire: { name: 'backchannel_logout_uri', note: ': https, in a public network' },
    flag: '--backchannel-logout-uri <uri>',
    no: 'it gets no logout tokens',
    show: ['Logout tokens', uri => uri === null ? 'none' : `sent to ${uri}`]
  }),
  backchannelLogoutSessionRequired: yesOrNo({
    says: 'Whether it requires sid in logout tokens; they always have one',
    wire: 'backchannel_logout_session_required',
    flag: '--backchannel-logout-session-required',
    no: 'it needs no sid in logout tokens'
  }),
  native: yesOrNo({
    says: 'Whether it runs on the user\'s device: loopback callbacks match with any port',
    flag: '--native',
    no: 'it does not run on the user\'s device',
    show: ['Native', isOn => isOn ? 'yes: loopback callbacks match with any port' : 'no']
  }),
  own: yesOrNo({
    says: 'Whether it belongs to this installation: users only sign in, without consent where it could be remembered',
    flag: '--own',
    no: 'it needs the consent of users',
    show: ['Consent', isOn => isOn ? 'not needed: it belongs to this installation' : 'needed']
  }),
  disabled: written(Type.Boolean(), { says: 'Whether all its requests are refused', default: false })
}
