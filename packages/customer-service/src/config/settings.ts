import { Type, type Static } from '@sinclair/typebox'
import { telemetrySettings } from '../telemetry/generated/settings.js'
import { databaseSettings } from './generated/database.js'

const text = (description: string, rule: string, pattern: string, options: { default?: string } = {}) =>
  Type.String({ description, rule, pattern, ...options })

const oneOf = <const T extends string>(description: string, values: T[], fallback: T) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description, rule: `be ${values.join(' or ')}`, default: fallback })

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
  AUDIENCE: Type.Optional(text('What `aud` of an access token has to hold.',
    'be an absolute address without fragment, the same that the issuer puts into aud', '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s#]+$')),
  SIGNING_ALGS: text('Algorithms that a token may be signed with.',
    'be a comma-separated list of ES256, RS256 and EdDSA', '^(ES256|RS256|EdDSA)( *, *(ES256|RS256|EdDSA))*$', { default: 'ES256,RS256,EdDSA' }),
  CORS_ORIGINS: Type.Optional(text('Origins whose pages may call, separated by commas.',
    'be a comma-separated list of origins such as https://app.example, without a path', '')),
  SERVICE_ROOT: Type.Optional(text('Public address of the service; its path goes before every path.',
    'be an http or https address whose path holds only letters, digits and . _ ~ -', '^https?://[^/]+(/[A-Za-z0-9._~-]+)*/?$')),
  TRUST_PROXY: text('Proxies whose `X-Forwarded-For` is believed: their addresses, separated by commas.',
    'be false, or a comma-separated list of addresses and networks such as 10.0.0.0/8 or loopback; true would believe anybody', '', { default: 'false' }),
  ...telemetrySettings,
  LOG_LEVEL: oneOf('How much is logged.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  ENVIRONMENT: oneOf('`production` has no defaults for addresses.', ['development', 'production'], 'development'),
  SQLITE_SYNCHRONOUS: oneOf('`FULL` keeps every answered write through a power cut; `NORMAL` is faster.', ['FULL', 'NORMAL'], 'FULL')
})
export type Settings = Static<typeof Settings>
