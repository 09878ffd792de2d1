import {
  databaseRules, databaseSettings, readDatabase, standbyRules, standbySettings, type DatabaseConfig
} from '@frontdesk/database/settings'
import { signingAlgs } from '@frontdesk/schemas/jwks'
import { REVOCATIONS_PATH } from '@frontdesk/schemas/revocations'
import { isLoopback, isRemoteHttp, parseHttpUrl } from '@frontdesk/service-kit/address'
import { joinOr } from '@frontdesk/service-kit/join-or'
import { listenSettings, operationSettings, readServer, serverRules, type ServerConfig } from '@frontdesk/service-kit/server-settings'
import { findMisspelled, readEnvFiles } from '@frontdesk/service-kit/misspelled'
import { integer, oneOf, parseList, readSettings, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static } from '@sinclair/typebox'
import { deprecationRules, deprecationSettings, readDeprecation, type ImplicitDeprecation } from './settings/implicit-deprecation.js'
import { mcpRules, mcpSetting } from './settings/mcp.js'
import { rateLimitSetting, readRateLimit, type RateLimit } from './settings/rate-limit.js'
import { retentionSettings, type Retention } from './settings/retention.js'
import { readStepUp, stepUpRules, stepUpSettings, type StepUp } from './settings/step-up.js'

const DATABASE_FILE = 'customers.db'
/** Path of the keys after the issuer. */
const JWKS_PATH = '/.well-known/jwks.json'
/** Pattern of a signing algorithm. */
const ALG = `(${signingAlgs.join('|')})`

/** The settings by environment variable, in the order of the documentation. Defaults that depend on other settings are below. */
export const Settings = Type.Object({
  ...listenSettings(3001),
  ...databaseSettings(DATABASE_FILE),
  ...standbySettings,
  AUTH: oneOf('`none` accepts requests without a token, from this machine only.', ['required', 'none']),
  AUTH_NONE_ANYWHERE: Type.Optional(text('`yes` allows `AUTH=none` on addresses other than loopback.',
    'be yes, or not set', { pattern: '^yes$' })),
  ISSUER: Type.Optional(text('Issuer of the access tokens, exactly as in their `iss`.',
    'be an http or https address without query and fragment')),
  JWKS_URL: Type.Optional(text('Address of the issuer\'s keys.',
    'be an http or https address without user name', { pattern: '^https?://' })),
  REVOCATIONS_URL: Type.Optional(text('Address of the issuer\'s revocation feed; `none` if it has none.',
    'be an http or https address without user name, query and fragment, or none')),
  REVOCATIONS_MAX_AGE: integer('How long access tokens are accepted while the revocation feed cannot be reached, in seconds.',
    { unit: 'seconds', minimum: 15, maximum: 86_400, default: 600 }),
  AUDIENCE: Type.Optional(text('Required `aud` of access tokens.',
    'be an absolute address without fragment, equal to the issuer\'s aud', { pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s#]+$' })),
  SIGNING_ALGS: text('Accepted signing algorithms.', `be a comma-separated list of ${joinOr(signingAlgs)}`,
    { pattern: `^${ALG}( *, *${ALG})*$`, default: signingAlgs.join(',') }),
  ...stepUpSettings,
  ...deprecationSettings,
  CORS_ORIGINS: Type.Optional(text('Comma-separated origins whose pages can call the service.',
    'be a comma-separated list of origins such as https://app.example, without a path')),
  SERVICE_ROOT: Type.Optional(text('Public address of the service. Its path is the prefix of every path.',
    'be an http or https address whose path has only letters, digits and . _ ~ -', { pattern: '^https?://[^/]+(/[A-Za-z0-9._~-]+)*/?$' })),
  DOCS: oneOf('`off` disables the API reference at `/docs`.', ['on', 'off']),
  DOCS_CLIENT_ID: Type.Optional(text('`client_id` of the Authorize button at `/docs`. Without it, the user types one.',
    'be the client_id of an app that is registered with the issuer, in visible ASCII characters', { pattern: '^[\\x21-\\x7e]{1,255}$' })),
  MCP: mcpSetting,
  REQUIRE_IF_MATCH: oneOf('`true` requires `If-Match` to change or remove a customer.', ['true', 'false'], 'false'),
  ...retentionSettings,
  RATE_LIMIT: rateLimitSetting,
  ALLOW_PRIVATE_NETWORKS: Type.Optional(text('`true` allows webhooks in private networks. Default: `false`, but `true` in development.',
    'be true or false', { pattern: '^(true|false)$' })),
  ...operationSettings,
  SQLITE_SYNCHRONOUS: oneOf('`FULL` keeps every acknowledged write through a power failure. `NORMAL` is faster.', ['FULL', 'NORMAL'])
})
export type Settings = Static<typeof Settings>

/** The parsed settings. Frozen. */
export interface Config extends ServerConfig, DatabaseConfig {
  readonly synchronous: 'FULL' | 'NORMAL'
  /** URL of a hot standby for lists and searches; `null`: none. */
  readonly readUrl: string | null
  /** `null`: no access tokens are needed (`AUTH=none`). */
  readonly auth: Readonly<Auth> | null
  /** Public address without trailing slash; empty if unknown, which makes links relative. */
  readonly serviceRoot: string
  /** Path of {@link serviceRoot}, the prefix of every route; empty if there is none. */
  readonly prefix: string
  /** Whether assistants can use the register, at `/mcp`. */
  readonly mcp: boolean
  /** Whether a write to a customer requires `If-Match`. */
  readonly requireIfMatch: boolean
  readonly retention: Retention
  readonly rateLimit: RateLimit | null
  /** `null`: no operation requires more than an access token. */
  readonly stepUp: StepUp | null
  /** Whether webhooks can have addresses in private networks. */
  readonly allowPrivateNetworks: boolean
  /** `null`: no API reference. */
  readonly docs: Readonly<Docs> | null
  /** `null`: not deprecated. */
  readonly implicitDeprecation: Readonly<ImplicitDeprecation> | null
  readonly corsOrigins: readonly string[]
}

/** Which access tokens are accepted. */
export interface Auth {
  /** Required `iss`. */
  issuer: string
  jwksUrl: string
  /** Address of the revocation feed; `null`: none. */
  revocationsUrl: string | null
  /** Maximum age of the revocations, in seconds. */
  revocationsMaxAge: number
  /** Required `aud`. */
  audience: string
  /** Accepted `alg`. */
  algorithms: string[]
}

/** The API reference. */
export interface Docs {
  /** `client_id` of its Authorize button; `undefined`: the user types one. */
  clientId: string | undefined
}

/** Sets environment variables that are not set. */
export function setDefaults (defaults: Record<string, string>, env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(defaults)) env[name] ||= value
}

/**
 * Reads the settings.
 * @param files variables that Node.js read from files
 * @throws ConfigError with a sentence for each invalid or missing setting
 */
export function loadConfig (env: NodeJS.ProcessEnv = process.env, files = readEnvFiles()): Config {
  const settings = readSettings(Settings, env, rules, files)
  const root = settings.SERVICE_ROOT?.replace(/\/$/, '') ?? ''
  const origins = settings.CORS_ORIGINS ?? (settings.ENVIRONMENT === 'development' ? 'http://localhost:3002' : '')
  return Object.freeze({
    ...readServer(settings),
    ...readDatabase(settings, env, DATABASE_FILE),
    synchronous: settings.SQLITE_SYNCHRONOUS,
    readUrl: settings.DATABASE_READ_URL ?? null,
    auth: settings.AUTH === 'none' ? null : Object.freeze(readAuth(settings)),
    serviceRoot: root,
    prefix: root === '' ? '' : new URL(root).pathname.replace(/\/$/, ''),
    mcp: settings.MCP === 'on',
    requireIfMatch: settings.REQUIRE_IF_MATCH === 'true',
    retention: Object.freeze({ historyDays: settings.HISTORY_DAYS, feedDays: settings.FEED_DAYS }),
    rateLimit: readRateLimit(settings.RATE_LIMIT),
    stepUp: readStepUp(settings),
    allowPrivateNetworks: (settings.ALLOW_PRIVATE_NETWORKS ?? String(settings.ENVIRONMENT === 'development')) === 'true',
    docs: settings.DOCS === 'off' ? null : Object.freeze({ clientId: settings.DOCS_CLIENT_ID }),
    implicitDeprecation: readDeprecation(settings),
    corsOrigins: Object.freeze(parseList(origins)),
    misspelled: findMisspelled(Object.keys(Settings.properties), env)
  })
}

function readAuth (settings: Settings): Auth {
  const { ISSUER: issuer = 'http://localhost:3000', AUDIENCE: audience = `http://localhost:${settings.PORT}` } = settings
  const base = issuer.replace(/\/$/, '')
  const jwksUrl = settings.JWKS_URL ?? `${base}${JWKS_PATH}`
  // If the keys have another address than the issuer, as between containers, so do the revocations.
  const atKeys = jwksUrl.endsWith(JWKS_PATH) ? jwksUrl.slice(0, -JWKS_PATH.length) : base
  const { REVOCATIONS_URL: revocations = atKeys + REVOCATIONS_PATH } = settings
  const revocationsUrl = revocations === 'none' ? null : revocations
  const algorithms = [...new Set(parseList(settings.SIGNING_ALGS))]
  return { issuer, audience, jwksUrl, revocationsUrl, revocationsMaxAge: settings.REVOCATIONS_MAX_AGE, algorithms }
}

const needsIssuer = ({ ENVIRONMENT, AUTH }: Settings) => ENVIRONMENT === 'production' && AUTH === 'required'

const rules: SettingsRules<Settings> = {
  forms: {
    ...serverRules.forms,
    ISSUER: value => parseHttpUrl(value) !== undefined,
    JWKS_URL: value => URL.canParse(value) && new URL(value).username === '',
    REVOCATIONS_URL: value => value === 'none' || parseHttpUrl(value) !== undefined,
    SERVICE_ROOT: value => parseHttpUrl(value) !== undefined,
    CORS_ORIGINS: value => parseList(value).every(origin => parseHttpUrl(origin)?.origin === origin),
    ...deprecationRules.forms
  },
  relations: [{
    names: ['ENVIRONMENT', 'AUTH', 'ISSUER'],
    whyNot: settings => needsIssuer(settings) && settings.ISSUER === undefined
      ? 'ISSUER must be set in production: the issuer of the access tokens, such as https://login.example.'
      : null
  }, {
    names: ['ENVIRONMENT', 'ISSUER'],
    whyNot: ({ ENVIRONMENT, ISSUER }) => ENVIRONMENT === 'production' && ISSUER !== undefined && isRemoteHttp(ISSUER)
      ? 'ISSUER must begin with https:// in production, unless it is on this machine.'
      : null
  }, {
    names: ['ENVIRONMENT', 'AUTH', 'AUDIENCE'],
    whyNot: settings => needsIssuer(settings) && settings.AUDIENCE === undefined
      ? 'AUDIENCE must be set in production: what access tokens for this service hold as aud, such as https://customers.example.'
      : null
  }, {
    names: ['AUTH', 'HOST', 'AUTH_NONE_ANYWHERE'],
    whyNot: ({ AUTH, HOST, AUTH_NONE_ANYWHERE: anywhere }) => AUTH === 'none' && !isLoopback(HOST) && anywhere === undefined
      ? 'HOST must be 127.0.0.1, ::1 or localhost with AUTH=none, or AUTH_NONE_ANYWHERE must be yes: every caller could change every customer.'
      : null
  }, {
    names: ['AUTH', 'STEP_UP_ACR', 'STEP_UP_MAX_AGE'],
    whyNot: settings => settings.AUTH === 'none' && readStepUp(settings) !== null
      ? 'STEP_UP_ACR and STEP_UP_MAX_AGE must not be set with AUTH=none: without access tokens, no sign-in is checked.'
      : null
  },
  ...mcpRules.relations, ...stepUpRules.relations, ...deprecationRules.relations,
  ...serverRules.relations, ...databaseRules.relations, ...standbyRules.relations]
}
