import { Type, type Static, type TObject } from '@sinclair/typebox'
import { SigningAlg } from '@frontdesk/schemas/jwks'
import envSchema from 'env-schema'
import { telemetrySettings } from '@frontdesk/service-kit/telemetry/settings'
import { resolve } from 'node:path'
import { databaseMistakes, databaseSettings, readDatabaseOptions, withDatabaseUrl, type DatabaseOptions, type DatabaseSettings } from '@frontdesk/database/settings'
import { REFRESH_TTL, TOKEN_TTL } from './lifetimes.js'

/** SECRET_KEY of a development that sets none; refused in production. */
const DEVELOPMENT_SECRET = 'for-development-only-not-a-secret'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const DAY = 24 * 60 * 60 * 1_000

const NETWORK = '(loopback|linklocal|uniquelocal|[0-9a-fA-F]*[.:][0-9a-fA-F.:]+(/[0-9]+)?)'

/** The settings, by environment variable: what each is for, and the `rule` that completes the sentence "NAME must …". */
export const Settings = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', rule: 'be an address or a host name', description: 'Address to listen on.' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 3000, rule: 'be a whole number from 0 to 65535', description: 'Port to listen on; 0 takes a free one.' }),
  ISSUER: Type.Optional(Type.String({ rule: 'be an address', description: 'Public address of this server, without a slash at its end; may have a path.' })),
  DATABASE_URL: Type.String({ pattern: '^(file:.+|postgres(ql)?://.+)$', default: 'file:./data/auth.db', rule: 'be file: and a path, or an address that begins with postgresql://', description: 'Database: `file:` and a path, or `postgresql://…`.' }),
  ...databaseSettings,
  SECRET_KEY: Type.Optional(Type.String({ rule: 'be random', description: 'At least 32 random characters. Encrypts the signing keys and authenticates the consent page.' })),
  SECRET_KEY_PREVIOUS: Type.Optional(Type.String({ rule: 'be the SECRET_KEY before this one', description: 'The previous `SECRET_KEY`, while it is being changed.' })),
  DEFAULT_AUDIENCE: Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s#]+$', rule: 'be an absolute address without fragment, the AUDIENCE of customer-service', description: '`aud` of access tokens when the client names no resource: the `AUDIENCE` of customer-service.' })),
  SIGNING_ALG: Type.Unsafe<SigningAlg>({ type: 'string', enum: SigningAlg.anyOf.map(it => it.const), default: 'ES256', rule: 'be ES256, RS256 or EdDSA', description: 'Algorithm that signs access tokens: ES256, RS256 or EdDSA.' }),
  KEY_ROTATION: Type.String({ pattern: '^(off|[1-9][0-9]{0,3})$', default: '90', rule: 'be a number of days from 1 to 9999, or off', description: 'Days between new signing keys; `off`: only `frontdesk-auth keys rotate` makes one.' }),
  ACCESS_TOKEN_TTL: Type.Integer({ ...TOKEN_TTL, default: 600, rule: `be a whole number of seconds from ${TOKEN_TTL.minimum} to ${TOKEN_TTL.maximum}`, description: 'Lifetime of access tokens, in seconds.' }),
  REFRESH_TOKEN_TTL: Type.Integer({ ...REFRESH_TTL, default: 7_776_000, rule: `be a whole number of seconds from ${REFRESH_TTL.minimum} to ${REFRESH_TTL.maximum}`, description: 'Lifetime of all refresh tokens of one sign-in, in seconds.' }),
  REFRESH_TOKEN_IDLE_TTL: Type.Integer({ ...REFRESH_TTL, default: 1_209_600, rule: `be a whole number of seconds from ${REFRESH_TTL.minimum} to ${REFRESH_TTL.maximum}`, description: 'Idle expiry of refresh tokens, in seconds.' }),
  AUDIT_RETENTION: Type.Integer({ minimum: 1, maximum: 3650, default: 90, rule: 'be a whole number of days from 1 to 3650', description: 'Days that audit rows are kept.' }),
  TRUST_PROXY: Type.String({ pattern: `^(false|${NETWORK}(, ?${NETWORK})*)$`, default: 'false', rule: 'be false, or a comma-separated list of addresses and networks such as 10.0.0.0/8 or loopback; true would trust every caller', description: 'Proxies whose `X-Forwarded-For` is trusted: their addresses, separated by commas.' }),
  ...telemetrySettings,
  LOG_LEVEL: Type.String({ enum: LOG_LEVELS, default: 'info', rule: `be ${LOG_LEVELS.join(' or ')}`, description: 'Lowest level that is logged.' }),
  ENVIRONMENT: Type.Unsafe<'development' | 'production'>({ type: 'string', enum: ['development', 'production'], default: 'development', rule: 'be development or production', description: '`production` refuses settings that are only for development.' }),
  DEMO_CALLBACK: Type.Optional(Type.String({ rule: 'be an address', description: 'Development only: creates the demo app with this callback, and the demo person.' })),
  DEMO_DOCS_CALLBACK: Type.Optional(Type.String({ rule: 'be an address', description: 'Development only: creates the app for the API reference of customer-service with this callback, and the demo person.' }))
})
type Settings = Static<typeof Settings>

/** What the server runs with. Frozen. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly issuer: string
  /** Absolute `file:` address, or `postgresql://…`. */
  readonly databaseUrl: string
  readonly database: DatabaseOptions
  readonly secretKey: string
  readonly previousSecretKey: string | undefined
  readonly defaultAudience: string
  readonly signingAlg: SigningAlg
  /** Age at which a signing key gets a successor, in milliseconds; `undefined`: never by itself. */
  readonly keyRotation: number | undefined
  /** Seconds. */
  readonly accessTokenTtl: number
  /** Seconds, from the sign-in on. */
  readonly refreshTokenTtl: number
  /** Seconds, from the last use on. */
  readonly refreshTokenIdleTtl: number
  /** How long the audit trail is kept, in milliseconds. */
  readonly auditRetention: number
  /** Addresses and networks of the proxies, comma-separated; `false`: none. */
  readonly trustProxy: false | string
  /** `undefined`: none. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly tracing: boolean
  readonly logLevel: string
  readonly production: boolean
  readonly demoCallback: string | undefined
  readonly demoDocsCallback: string | undefined
}

/** The settings are wrong: `message` holds a sentence a line, each of which says what to set. */
export class ConfigError extends Error {}

/**
 * Reads the settings.
 * @throws ConfigError naming every setting that is wrong or missing
 */
export function loadConfig (env: NodeJS.ProcessEnv = process.env): Config {
  const settings = read(Settings, env)
  const production = settings.ENVIRONMENT === 'production'
  const config: Config = Object.freeze({
    host: settings.HOST,
    port: settings.PORT,
    issuer: settings.ISSUER ?? (production ? '' : `http://localhost:${settings.PORT}`),
    ...readDatabase(settings, env),
    secretKey: settings.SECRET_KEY ?? (production ? '' : DEVELOPMENT_SECRET),
    previousSecretKey: settings.SECRET_KEY_PREVIOUS,
    defaultAudience: settings.DEFAULT_AUDIENCE ?? (production ? '' : 'http://localhost:3001'),
    signingAlg: settings.SIGNING_ALG,
    keyRotation: settings.KEY_ROTATION === 'off' ? undefined : Number(settings.KEY_ROTATION) * DAY,
    accessTokenTtl: settings.ACCESS_TOKEN_TTL,
    refreshTokenTtl: settings.REFRESH_TOKEN_TTL,
    refreshTokenIdleTtl: settings.REFRESH_TOKEN_IDLE_TTL,
    auditRetention: settings.AUDIT_RETENTION * DAY,
    trustProxy: settings.TRUST_PROXY === 'false' ? false : settings.TRUST_PROXY,
    metricsPort: settings.METRICS_PORT,
    metricsHost: settings.METRICS_HOST,
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    logLevel: settings.LOG_LEVEL,
    production,
    demoCallback: settings.DEMO_CALLBACK,
    demoDocsCallback: settings.DEMO_DOCS_CALLBACK
  })
  const wrong = [...databaseMistakes(settings), ...mistakes(config)]
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return config
}

/**
 * Reads the settings of the database alone, for a program that needs no others.
 * @throws ConfigError naming every one that is wrong
 */
export function loadDatabase (env: NodeJS.ProcessEnv = process.env): Pick<Config, 'databaseUrl' | 'database'> {
  const settings = read(Type.Pick(Settings, ['DATABASE_URL', ...databaseNames]), env)
  const wrong = [...databaseMistakes(settings)]
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return readDatabase(settings, env)
}

/** The issuer, unchecked and without a demand on other settings; `undefined` in production if it is not set. */
export function findIssuer ({ ISSUER, PORT, ENVIRONMENT }: NodeJS.ProcessEnv = process.env): string | undefined {
  return ISSUER || (ENVIRONMENT === 'production' ? undefined : `http://localhost:${PORT || Settings.properties.PORT.default}`)
}

// as: they are its keys.
const databaseNames = Object.keys(databaseSettings) as Array<keyof typeof databaseSettings>

function readDatabase (settings: DatabaseSettings, env: NodeJS.ProcessEnv) {
  return { databaseUrl: absolute(settings.DATABASE_URL, env.INIT_CWD ?? process.cwd()), database: readDatabaseOptions(settings) }
}

function read<T extends TObject> (schema: T, env: NodeJS.ProcessEnv): Static<T> {
  try {
    const set = Object.fromEntries(Object.entries(withDatabaseUrl(env, 'auth.db')).filter(([, value]) => value !== ''))
    return envSchema<Static<T>>({ schema, data: set, env: false, ajv: { customOptions: ajv => ajv.addKeyword('rule') } })
  } catch (error) {
    // as: env-schema puts Ajv's errors here.
    const { errors } = error as { errors?: Array<{ instancePath: string }> }
    if (errors === undefined) throw error
    // as: an error of Ajv's is about one of the settings.
    const names = errors.map(({ instancePath }) => instancePath.slice(1) as keyof Settings)
    throw new ConfigError(names.map(name => `${name} must ${Settings.properties[name].rule}.`).join('\n'))
  }
}

function * mistakes (config: Config): Generator<string> {
  const { issuer, secretKey, defaultAudience, production, demoCallback, demoDocsCallback } = config
  if (issuer === '') yield 'ISSUER is missing. Set it to the public https address of this server.'
  else if (!isIssuer(issuer)) yield 'ISSUER must be an http or https address without user name, query, fragment or a slash at its end (RFC 8414 §2), and its path of letters, digits and . _ ~ -.'
  else if (production && !issuer.startsWith('https:') && !isLoopback(issuer)) yield 'ISSUER must be https in production, except on loopback.'
  if (defaultAudience === '') yield 'DEFAULT_AUDIENCE is missing. Set it to the address of customer-service, as its AUDIENCE.'
  if (secretKey === '') yield 'SECRET_KEY is missing. Set it to at least 32 random characters, such as the output of `openssl rand -base64 32`.'
  else if (secretKey.length < 32 || new Set(secretKey).size < 10) yield 'SECRET_KEY is weak. Set it to at least 32 random characters, such as the output of `openssl rand -base64 32`.'
  else if (production && secretKey === DEVELOPMENT_SECRET) yield 'SECRET_KEY is the one for development. Set one of your own, such as the output of `openssl rand -base64 32`.'
  if (production && config.previousSecretKey === DEVELOPMENT_SECRET) yield 'SECRET_KEY_PREVIOUS is the one for development. Remove it.'
  if (config.metricsPort === config.port) yield 'METRICS_PORT is that of PORT. Set it to another.'
  if (production && demoCallback !== undefined) yield 'DEMO_CALLBACK is for development. Remove it, or set ENVIRONMENT=development.'
  if (production && demoDocsCallback !== undefined) yield 'DEMO_DOCS_CALLBACK is for development. Remove it, or set ENVIRONMENT=development.'
}

function isIssuer (text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+(\/[A-Za-z0-9._~-]+)*$/.test(text) && URL.canParse(text)
}

function isLoopback (address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)
}

function absolute (url: string, directory: string): string {
  return url.startsWith('file:') ? `file:${resolve(directory, url.slice('file:'.length))}` : url
}
