import { REVOCATIONS_PATH } from '@frontdesk/schemas/revocations'
import { Value } from '@sinclair/typebox/value'
import { envSchema } from 'env-schema'
import { isAbsolute, resolve } from 'node:path'
import { databaseMistakes, readDatabaseOptions, withDatabaseUrl, type DatabaseOptions } from '@frontdesk/database/settings'
import { forms, parseList, relations } from './config/rules.js'
import { Settings } from './config/settings.js'

/** The settings, checked and made ready for use. */
export interface Config {
  readonly host: string
  readonly port: number
  /** `file:/absolute/path` or `postgresql://…`. */
  readonly databaseUrl: string
  readonly database: DatabaseOptions
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Whose tokens are accepted; `null`: requests without a token are accepted (`AUTH=none`). */
  readonly auth: Readonly<Auth> | null
  /** Public address without trailing slash; empty when not known, which leaves links relative. */
  readonly serviceRoot: string
  /** Path of {@link serviceRoot}, the prefix of every route; empty if there is none. */
  readonly prefix: string
  /** Whether a write to a customer has to say which version it is made to. */
  readonly requireIfMatch: boolean
  /** The API reference; `null`: there is none. */
  readonly docs: Readonly<Docs> | null
  /** `null`: not deprecated. */
  readonly implicitDeprecation: Readonly<ImplicitDeprecation> | null
  readonly corsOrigins: readonly string[]
  /** Header fields that pages may send, besides those that the service knows. */
  readonly corsHeaders: readonly string[]
  readonly trustProxy: false | string[]
  /** `undefined`: none. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly tracing: boolean
  readonly logLevel: Settings['LOG_LEVEL']
  readonly production: boolean
}

/** Whose tokens are accepted. */
export interface Auth {
  /** Exactly as in `iss`. */
  issuer: string
  jwksUrl: string
  /** Address of the revocation feed; `null`: none. */
  revocationsUrl: string | null
  /** How old that may be, in seconds. */
  revocationsMaxAge: number
  /** What `aud` has to hold. */
  audience: string
  /** `alg` of tokens: any of these. */
  algorithms: string[]
}

/** The API reference for people. */
export interface Docs {
  /** The app that it signs people in as; `undefined`: they say which. */
  clientId: string | undefined
}

/** What callers with tokens of the implicit grant are told. */
export interface ImplicitDeprecation {
  deprecatedAt: Date
  endsAt: Date | undefined
  /** A page that says what to do instead. */
  link: string | undefined
}

/** Where the keys are, below the issuer. */
const JWKS_PATH = '/.well-known/jwks.json'

/** Settings that cannot be used: `sentences` says all that is wrong, one entry each. */
export class ConfigError extends Error {
  readonly sentences: string[]

  constructor (sentences: string[]) {
    super(sentences.join('\n'))
    this.sentences = sentences
  }
}

/**
 * Reads the settings. An empty variable counts as not set.
 * @throws ConfigError
 */
export function loadConfig (env: NodeJS.ProcessEnv = process.env): Config {
  const settings = checkSettings(env)
  const { ENVIRONMENT, TRUST_PROXY } = settings
  const root = settings.SERVICE_ROOT?.replace(/\/$/, '') ?? ''
  const origins = settings.CORS_ORIGINS ?? (ENVIRONMENT === 'development' ? 'http://localhost:3002' : '')
  return Object.freeze({
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: makeAbsolute(settings.DATABASE_URL, env.INIT_CWD ?? process.cwd()),
    database: readDatabaseOptions(settings),
    synchronous: settings.SQLITE_SYNCHRONOUS,
    auth: settings.AUTH === 'none' ? null : Object.freeze(readAuth(settings)),
    serviceRoot: root,
    prefix: root === '' ? '' : new URL(root).pathname.replace(/\/$/, ''),
    requireIfMatch: settings.REQUIRE_IF_MATCH === 'true',
    docs: settings.DOCS === 'off' ? null : Object.freeze({ clientId: settings.DOCS_CLIENT_ID }),
    implicitDeprecation: readDeprecation(settings),
    corsOrigins: Object.freeze(parseList(origins)),
    corsHeaders: Object.freeze(parseList(settings.CORS_HEADERS ?? '')),
    trustProxy: TRUST_PROXY === 'false' ? false : parseList(TRUST_PROXY),
    metricsPort: settings.METRICS_PORT,
    metricsHost: settings.METRICS_HOST,
    tracing: settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    logLevel: settings.LOG_LEVEL,
    production: ENVIRONMENT === 'production'
  })
}

function readAuth (settings: Settings): Auth {
  const { ISSUER: issuer = 'http://localhost:3000', AUDIENCE: audience = `http://localhost:${settings.PORT}` } = settings
  const base = issuer.replace(/\/$/, '')
  const jwksUrl = settings.JWKS_URL ?? `${base}${JWKS_PATH}`
  // Where the issuer is reached at another address, the keys and the revocations are.
  const { REVOCATIONS_URL: revocations = (jwksUrl.endsWith(JWKS_PATH) ? jwksUrl.slice(0, -JWKS_PATH.length) : base) + REVOCATIONS_PATH } = settings
  const revocationsUrl = revocations === 'none' ? null : revocations
  return { issuer, audience, jwksUrl, revocationsUrl, revocationsMaxAge: settings.REVOCATIONS_MAX_AGE, algorithms: [...new Set(parseList(settings.SIGNING_ALGS))] }
}

function readDeprecation ({ IMPLICIT_DEPRECATION: since, IMPLICIT_SUNSET: until, IMPLICIT_LINK: link }: Settings): ImplicitDeprecation | null {
  if (since === undefined) return null
  return { deprecatedAt: new Date(since), endsAt: until === undefined ? undefined : new Date(until), link }
}

function checkSettings (env: NodeJS.ProcessEnv): Settings {
  const names = Object.keys(Settings.properties) as Array<keyof Settings>
  const data: Record<string, string> = {}
  const located = withDatabaseUrl(env, 'customers.db')
  for (const name of names) if (located[name]) data[name] = located[name]

  const { settings, wrong } = applySchema(data)
  for (const name of names) {
    if (data[name] !== undefined && forms[name]?.(data[name]) === false) wrong.add(name)
  }
  const sentences = names.filter(name => wrong.has(name)).map(name => `${name} must ${Settings.properties[name].rule}.`)
  for (const relation of relations) {
    if (!relation.names.some(name => wrong.has(name)) && relation.isBroken(settings)) sentences.push(relation.sentence)
  }
  if (!wrong.has('DATABASE_URL')) sentences.push(...databaseMistakes(settings))
  if (sentences.length > 0) throw new ConfigError(sentences)
  return settings
}

function applySchema (data: Record<string, string>): { settings: Settings, wrong: Set<string> } {
  try {
    const settings = envSchema<Settings>({ schema: Settings, data, env: false, ajv: { customOptions: ajv => ajv.addKeyword('rule') } })
    return { settings, wrong: new Set() }
  } catch (error) {
    // as: Ajv's errors are on what env-schema throws; without them it is a mistake in the schema.
    const { errors } = error as { errors?: Array<{ instancePath: string }> }
    if (errors === undefined) throw error
    // as: settings that are wrong are in `wrong`, and are not used.
    return { settings: Value.Default(Settings, { ...data }) as Settings, wrong: new Set(errors.map(({ instancePath }) => instancePath.slice(1))) }
  }
}

function makeAbsolute (databaseUrl: string, base: string) {
  if (!databaseUrl.startsWith('file:')) return databaseUrl
  const path = databaseUrl.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  return `file:${isAbsolute(path) ? path : resolve(base, path)}`
}
