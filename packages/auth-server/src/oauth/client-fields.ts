import { Type } from '@sinclair/typebox'
import { fields } from '../languages/en/console/fields.js'
import { TOKEN_TTL } from '../lifetimes.js'
import { choice, field, list, nullable, optional, whether, written, yesOrNo } from './client-field.js'
import { MAX_LOGO } from './client-logo.js'
import { DEVICE_CODE } from './grant-types.js'
import { ID_TOKEN_ALGS } from './id-token-algs.js'
import { signInFields } from './sign-in-fields.js'

const JwkSet = Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true }), { minItems: 1 }) })

/** The fields of a client, in the order of the docs. Everything that reads, writes, shows or stores a client derives from this table. */
export const clientFields = {
  clientId: written(Type.String(), { says: 'Identifier: 1 to 100 ASCII letters, digits, periods, underscores and hyphens' }),
  name: field(Type.String(), {
    says: fields['field.name.hint'],
    wire: { name: 'client_name', default: 'the host of the first callback' },
    flag: '--name <text>',
    show: ['field.name']
  }),
  logo: written(nullable(Type.String()), {
    says: `Its logo: PNG or WebP, at most ${MAX_LOGO} KB`,
    note: ', as a data: URL in base64',
    default: null,
    null: 'none',
    flag: '--logo <file>',
    no: 'it has no logo',
    show: ['field.logo']
  }),
  callbacks: list({
    says: fields['field.callbacks.hint'],
    table: 'client_callback',
    wire: 'redirect_uris',
    flag: '--callback <uri>',
    item: 'callback',
    option: 'redirect URI, compared byte for byte',
    show: ['field.callbacks']
  }),
  postLogoutRedirectUris: list({
    says: fields['field.postLogoutRedirectUris.hint'],
    table: 'client_post_logout_uri',
    wire: 'post_logout_redirect_uris',
    flag: '--post-logout-redirect-uri <uri>',
    item: 'post-logout redirect URI',
    show: ['field.postLogoutRedirectUris']
  }),
  resources: list({
    says: fields['field.resources.hint'],
    table: 'client_resource',
    flag: '--resource <uri>',
    item: 'resource',
    no: 'it may request tokens for the default audience only',
    show: ['field.resources']
  }),
  defaultScope: field(Type.String(), {
    says: fields['field.defaultScope.hint'],
    default: '',
    wire: 'scope',
    flag: '--default-scope <scope>',
    item: 'default scope',
    usual: 'none',
    show: ['field.defaultScope', scope => scope || { key: 'field.none' }]
  }),
  allowedScope: optional(Type.String(), {
    says: fields['field.allowedScope.hint'],
    file: Type.String({ default: '*' }),
    flag: '--allowed-scope <scope>',
    item: 'allowed scope',
    show: ['field.allowedScope', scope => scope ?? { key: 'field.allowedScope.any' }]
  }),
  ...signInFields,
  accessTokenTtl: optional(Type.Integer(TOKEN_TTL), {
    says: fields['field.accessTokenTtl.hint'],
    null: fields['field.accessTokenTtl.none'],
    flag: '--access-token-ttl <seconds>',
    no: 'its access tokens have the lifetime of ACCESS_TOKEN_TTL',
    show: ['field.accessTokenTtl', ttl =>
      ttl === null ? { key: 'field.accessTokenTtl.default' } : { key: 'field.accessTokenTtl.seconds', values: { seconds: String(ttl) } }]
  }),
  implicit: field(choice('allowed', 'warn', 'until', 'off'), {
    says: 'Whether it can use the implicit grant: allowed, warn, until <date>, or off',
    default: 'off',
    file: Type.String({ default: 'off', pattern: '^(allowed|warn|off|until \\d{4}-\\d\\d-\\d\\d(T\\S+)?)$' }),
    flag: '--implicit <policy>',
    option: 'allowed, warn, "until <date>" or off',
    usual: 'allowed with --grant implicit, else off',
    no: 'same as --implicit off',
    show: ['field.implicit']
  }),
  grantTypes: list({
    says: fields['field.grantTypes.hint'],
    default: ['authorization_code'],
    wire: { name: 'grant_types', note: '. Types that cannot be registered here are omitted' },
    flag: '--grant <grant>',
    item: 'grant',
    option: `authorization_code, refresh_token, client_credentials, ${DEVICE_CODE} or implicit`,
    show: ['field.grantTypes']
  }),
  tokenEndpointAuthMethod: field(Type.String(), {
    says: fields['field.tokenEndpointAuthMethod.hint'],
    note: ', such as client_secret_basic. client secret add creates its secrets',
    default: 'none',
    wire: { name: 'token_endpoint_auth_method', default: 'client_secret_basic' },
    flag: '--auth-method <method>',
    usual: 'client_secret_basic if confidential, private_key_jwt with keys, else none',
    show: ['field.tokenEndpointAuthMethod', method => method === 'none' ? { key: 'field.tokenEndpointAuthMethod.public' } : method]
  }),
  pkce: field(choice('required', 'optional'), {
    says: fields['field.pkce.hint'],
    default: 'required',
    flag: '--pkce <policy>',
    show: ['field.pkce']
  }),
  requirePushedAuthorizationRequests: yesOrNo({
    says: whether(fields['field.requirePushedAuthorizationRequests']),
    wire: 'require_pushed_authorization_requests',
    flag: '--require-par',
    no: 'it may send its authorization requests by the browser',
    show: ['field.requests', isOn => ({ key: isOn ? 'field.requests.yes' : 'field.requests.no' })]
  }),
  dpopBoundAccessTokens: yesOrNo({
    says: whether(fields['field.dpopBoundAccessTokens']),
    wire: 'dpop_bound_access_tokens',
    flag: '--require-dpop',
    no: 'it may use bearer tokens',
    show: ['field.dpop', isOn => ({ key: isOn ? 'field.dpop.yes' : 'field.dpop.no' })]
  }),
  profile: optional(choice('fapi2'), {
    says: fields['field.profile.hint'],
    show: ['field.profile', profile => profile === null ? undefined : 'FAPI 2.0 Security Profile']
  }),
  jwks: optional(Type.String(), { says: fields['field.jwks.hint'], file: nullable(JwkSet), wire: 'jwks', flag: '--jwks <file>' }),
  jwksUri: optional(Type.String(), {
    says: fields['field.jwksUri.hint'],
    wire: { name: 'jwks_uri', note: ', in a public network' },
    flag: '--jwks-uri <uri>',
    show: ['field.keys', uri => uri === null ? undefined : { key: 'field.keys.published', values: { uri } }]
  }),
  idTokenSignedResponseAlg: field(choice(...ID_TOKEN_ALGS), {
    says: fields['field.idTokenSignedResponseAlg.hint'],
    default: 'RS256',
    wire: 'id_token_signed_response_alg',
    flag: '--id-token-alg <alg>',
    show: ['field.idTokenSignedResponseAlg']
  }),
  idTokenClaims: yesOrNo({
    says: whether(fields['field.idTokenClaims']),
    flag: '--id-token-claims',
    no: 'only /userinfo has them'
  }),
  userinfoSignedResponseAlg: optional(choice(...ID_TOKEN_ALGS), {
    says: fields['field.userinfoSignedResponseAlg.hint'],
    null: fields['field.userinfoSignedResponseAlg.none'],
    wire: 'userinfo_signed_response_alg',
    flag: '--userinfo-alg <alg>',
    no: '/userinfo responses are JSON',
    show: ['field.userinfoSignedResponseAlg', alg =>
      alg === null ? 'JSON' : { key: 'field.userinfoSignedResponseAlg.signed', values: { alg } }]
  }),
  subjectType: written(choice('public', 'pairwise'), {
    says: fields['field.subjectType.hint'],
    default: 'public',
    wire: { name: 'subject_type', note: '. Requires callbacks on one https host' },
    flag: '--subject-type <type>'
  }),
  sectorIdentifier: optional(Type.String(), {
    says: fields['field.sectorIdentifier.hint'],
    null: fields['field.sectorIdentifier.none'],
    flag: '--sector-identifier <host>',
    show: ['field.subjects', sector => sector === null ? 'public' : { key: 'field.subjects.pairwise', values: { sector } }]
  }),
  backchannelLogoutUri: optional(Type.String(), {
    says: fields['field.backchannelLogoutUri.hint'],
    null: fields['field.backchannelLogoutUri.none'],
    wire: { name: 'backchannel_logout_uri', note: ': https, in a public network' },
    flag: '--backchannel-logout-uri <uri>',
    no: 'it gets no logout tokens',
    show: ['field.backchannelLogoutUri', uri =>
      uri === null ? { key: 'field.none' } : { key: 'field.backchannelLogoutUri.sent', values: { uri } }]
  }),
  backchannelLogoutSessionRequired: yesOrNo({
    says: whether(fields['field.backchannelLogoutSessionRequired']),
    wire: 'backchannel_logout_session_required',
    flag: '--backchannel-logout-session-required',
    no: 'it needs no sid in logout tokens'
  }),
  native: yesOrNo({
    says: whether(fields['field.native']),
    flag: '--native',
    no: 'it does not run on the user\'s device',
    show: ['field.native-app', isOn => ({ key: isOn ? 'field.native-app.yes' : 'field.native-app.no' })]
  }),
  own: yesOrNo({
    says: whether(fields['field.own']),
    flag: '--own',
    no: 'it needs the consent of users',
    show: ['field.consent', isOn => ({ key: isOn ? 'field.consent.yes' : 'field.consent.no' })]
  }),
  disabled: written(Type.Boolean(), { says: 'Whether all its requests are refused', default: false })
}
