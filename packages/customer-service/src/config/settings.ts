import { Type, type Static } from '@sinclair/typebox'
import { telemetrySettings } from '@frontdesk/service-kit/telemetry/settings'
import { databaseSettings } from '@frontdesk/database/settings'

const text = (description: string, rule: string, pattern: string, options: { default?: string } = {}) =>
  Type.String({ description, rule, pattern, ...options })

const oneOf = <const T extends string>(description: string, values: T[], fallback: T) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description, rule: `be ${values.join(' or ')}`, default: fallback })

/** RFC 3339. */
const DATE = '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d))?$'
const DATE_RULE = 'be a date such as 2027-01-31, or with a time such as 2027-01-31T00:00:00Z'

/**
 * Every setting: what it is for, and the `rule` that completes the sentence "NAME must …".
 * Defaults that depend on other settings are in `config.ts`.
 */
export const Settings = Type.Object({
  HOST: text('Address to listen on.', 'be an address or a host name', '^[A-Za-z0-9.:_-]+$', { default: '127.0.0.1' }),
  PORT: Type.Integer({ description: 'Port to listen on; 0 takes a free one.', rule: 'be a whole number from 0 to 65535', minimum: 0, maximum: 65535, default: 3001 }),
  DATABASE_URL: text('Database: `file:` and a path, or `postgresql://…`.',
    'be file: and a path, or an address that begins with postgresql://', '^(file:.|postgres(ql)?://.)', { default: 'file:./data/customers.db' }),
  ...databaseSettings,
  AUTH: oneOf('`none` accepts requests without a token, from this machine only.', ['required', 'none'], 'required'),
  AUTH_NONE_ANYWHERE: Type.Optional(text('`yes` allows `AUTH=none` on other addresses than loopback.', 'be yes, or not set', '^yes$')),
  ISSUER: Type.Optional(text('Issuer of the access tokens, exactly as in their `iss`.', 'be an http or https address without query and fragment', '')),
  JWKS_URL: Type.Optional(text('Address of the issuer\'s keys.', 'be an http or https address without user name', '^https?://')),
  REVOCATIONS_URL: Type.Optional(text('Address of the issuer\'s revocation feed; `none` if it has none.',
    'be an http or https address without user name, query and fragment, or none', '^(none$|https?://)')),
  REVOCATIONS_MAX_AGE: Type.Integer({
    description: 'How long access tokens are accepted while the revocation feed cannot be reached, in seconds.',
    rule: 'be a whole number of seconds from 15 to 86400',
    minimum: 15,
    maximum: 86_400,
    default: 600
  }),
  AUDIENCE: Type.Optional(text('Required `aud` of access tokens.',
    'be an absolute address without fragment, the same that the issuer puts into aud', '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s#]+$')),
  SIGNING_ALGS: text('Accepted signing algorithms.',
    'be a comma-separated list of ES256, RS256 and EdDSA', '^(ES256|RS256|EdDSA)( *, *(ES256|RS256|EdDSA))*$', { default: 'ES256,RS256,EdDSA' }),
  IMPLICIT_DEPRECATION: Type.Optional(text('When tokens of the implicit grant become deprecated; responses announce it.', DATE_RULE, DATE)),
  IMPLICIT_SUNSET: Type.Optional(text('When the implicit grant is expected to end; responses announce it.', DATE_RULE, DATE)),
  IMPLICIT_LINK: Type.Optional(text('A page that explains how to leave the implicit grant.', 'be an http or https address', '^https?://[^\\s<>"]+$')),
  CORS_ORIGINS: Type.Optional(text('Origins whose pages may call, separated by commas.',
    'be a comma-separated list of origins such as https://app.example, without a path', '')),
  CORS_HEADERS: Type.Optional(text('Further header fields that these pages may send, separated by commas.',
    'be a comma-separated list of header names such as X-App-Version', "^ *[A-Za-z0-9!#$%&'+.^_`|~-]+( *, *[A-Za-z0-9!#$%&'+.^_`|~-]+)* *$")),
  SERVICE_ROOT: Type.Optional(text('Public address of the service; its path is the prefix of every path.',
    'be an http or https address whose path holds only letters, digits and . _ ~ -', '^https?://[^/]+(/[A-Za-z0-9._~-]+)*/?$')),
  DOCS: oneOf('`off` disables the API reference at `/docs`.', ['on', 'off'], 'on'),
  DOCS_CLIENT_ID: Type.Optional(text('`client_id` of the Authorize button at `/docs`; without it, the user types one.',
    'be the client_id of an app that is registered with the issuer, in visible ASCII characters', '^[\\x21-\\x7e]{1,255}$')),
  REQUIRE_IF_MATCH: oneOf('`true` requires `If-Match` to change or remove a customer.', ['true', 'false'], 'false'),
  TRUST_PROXY: text('Proxies whose `X-Forwarded-For` is trusted: their addresses, separated by commas.',
    'be false, or a comma-separated list of addresses and networks such as 10.0.0.0/8 or loopback; true would trust every caller', '', { default: 'false' }),
  ...telemetrySettings,
  LOG_LEVEL: oneOf('Lowest level that is logged.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  ENVIRONMENT: oneOf('`production` requires the addresses to be set.', ['development', 'production'], 'development'),
  SQLITE_SYNCHRONOUS: oneOf('`FULL` keeps every acknowledged write through a power cut; `NORMAL` is faster.', ['FULL', 'NORMAL'], 'FULL')
})
export type Settings = Static<typeof Settings>
