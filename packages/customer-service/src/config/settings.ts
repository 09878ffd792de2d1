import { Type, type Static } from '@sinclair/typebox'
import { telemetrySettings } from '../telemetry/generated/settings.js'
import { databaseSettings } from './generated/database.js'

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
  DATABASE_URL: text('Where customers are kept: `file:` and a path, or `postgresql://…`.',
    'be file: and a path, or an address that begins with postgresql://', '^(file:.|postgres(ql)?://.)', { default: 'file:./data/customers.db' }),
  ...databaseSettings,
  AUTH: oneOf('`none` lets everybody in, from this machine only.', ['required', 'none'], 'required'),
  AUTH_NONE_ANYWHERE: Type.Optional(text('`yes` lets `AUTH=none` listen beyond this machine.', 'be yes, or not set', '^yes$')),
  ISSUER: Type.Optional(text('Issuer of the access tokens, exactly as in their `iss`.', 'be an http or https address without query and fragment', '')),
  JWKS_URL: Type.Optional(text('Where the issuer\'s keys are, if not at `{ISSUER}/.well-known/jwks.json`.', 'be an http or https address without user name', '^https?://')),
  REVOCATIONS_URL: Type.Optional(text('Where the issuer tells what was revoked, if not at `/revocations` beside the keys; `none` for an issuer that does not.',
    'be an http or https address without user name, query and fragment, or none', '^(none$|https?://)')),
  REVOCATIONS_MAX_AGE: Type.Integer({
    description: 'How long access tokens are accepted while revocations cannot be asked for, in seconds.',
    rule: 'be a whole number of seconds from 15 to 86400',
    minimum: 15,
    maximum: 86_400,
    default: 600
  }),
  AUDIENCE: Type.Optional(text('What `aud` of an access token has to hold.',
    'be an absolute address without fragment, the same that the issuer puts into aud', '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s#]+$')),
  SIGNING_ALGS: text('Algorithms that a token may be signed with.',
    'be a comma-separated list of ES256, RS256 and EdDSA', '^(ES256|RS256|EdDSA)( *, *(ES256|RS256|EdDSA))*$', { default: 'ES256,RS256,EdDSA' }),
  IMPLICIT_DEPRECATION: Type.Optional(text('Since when, or from when on, tokens of the implicit grant are deprecated; answers to them say so.', DATE_RULE, DATE)),
  IMPLICIT_SUNSET: Type.Optional(text('When tokens of the implicit grant are expected to be no longer given.', DATE_RULE, DATE)),
  IMPLICIT_LINK: Type.Optional(text('A page that says what to do instead of the implicit grant.', 'be an http or https address', '^https?://[^\\s<>"]+$')),
  CORS_ORIGINS: Type.Optional(text('Origins whose pages may call, separated by commas.',
    'be a comma-separated list of origins such as https://app.example, without a path', '')),
  CORS_HEADERS: Type.Optional(text('Header fields that these pages may send, besides those that the service knows, separated by commas.',
    'be a comma-separated list of header names such as X-App-Version', "^ *[A-Za-z0-9!#$%&'+.^_`|~-]+( *, *[A-Za-z0-9!#$%&'+.^_`|~-]+)* *$")),
  SERVICE_ROOT: Type.Optional(text('Public address of the service; its path goes before every path.',
    'be an http or https address whose path holds only letters, digits and . _ ~ -', '^https?://[^/]+(/[A-Za-z0-9._~-]+)*/?$')),
  DOCS: oneOf('`off` leaves the API reference at `/docs` out.', ['on', 'off'], 'on'),
  DOCS_CLIENT_ID: Type.Optional(text('Client that the Authorize button of `/docs` signs in as; where it is not set, who presses it types one.',
    'be the client_id of an app that is registered with the issuer, in visible ASCII characters', '^[\\x21-\\x7e]{1,255}$')),
  REQUIRE_IF_MATCH: oneOf('`true` refuses to change or remove a customer without `If-Match`.', ['true', 'false'], 'false'),
  TRUST_PROXY: text('Proxies whose `X-Forwarded-For` is believed: their addresses, separated by commas.',
    'be false, or a comma-separated list of addresses and networks such as 10.0.0.0/8 or loopback; true would believe anybody', '', { default: 'false' }),
  ...telemetrySettings,
  LOG_LEVEL: oneOf('How much is logged.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  ENVIRONMENT: oneOf('`production` has no defaults for addresses.', ['development', 'production'], 'development'),
  SQLITE_SYNCHRONOUS: oneOf('`FULL` keeps every answered write through a power cut; `NORMAL` is faster.', ['FULL', 'NORMAL'], 'FULL')
})
export type Settings = Static<typeof Settings>
