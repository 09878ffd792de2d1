import { databaseRules, databaseSettings, readDatabase, type DatabaseConfig } from '@frontdesk/database/settings'
import { isLoopback } from '@frontdesk/service-kit/address'
import { listenSettings, operationSettings, readServer, serverRules, type ServerConfig } from '@frontdesk/service-kit/server-settings'
import { describeSettings, type EffectiveSetting } from '@frontdesk/service-kit/effective-settings'
import { findMisspelled, readEnvFiles } from '@frontdesk/service-kit/misspelled'
import { integer, parseList, readSettings, text } from '@frontdesk/service-kit/settings'
import { Type, type Static } from '@sinclair/typebox'
import { REFRESH_TTL, TOKEN_TTL } from './lifetimes.js'
import { addressForms, issuerSettings, networkSettings, readAddress, type AddressConfig } from './settings/address.js'
import { auditSettings, readAudit, type AuditConfig } from './settings/audit.js'
import { adminRules, adminSettings, readAdmin, type AdminConfig } from './settings/admin.js'
import { brandRules, brandSettings, readBrand, type Brand } from '@frontdesk/service-kit/brand/settings'
import { demoSettings, readDemo, type DemoConfig } from './settings/demo.js'
import { languageRules, languageSettings, readLanguage, type LanguageConfig } from './settings/language.js'
import { keySettings, readKeys, type KeyConfig } from './settings/keys.js'
import { passkeyRules, passkeySettings, readPasskeys, type PasskeyConfig } from './settings/passkeys.js'
import { passwordSettings, readPasswords, type PasswordConfig } from './settings/passwords.js'
import { DEVELOPMENT_SECRET, productionRules } from './settings/production.js'
import { readRoles, roleSettings, type RoleConfig } from './settings/roles.js'
import { readRegistration, registrationRules, registrationSettings, type RegistrationConfig } from './settings/registration.js'
import { mailRules, mailSettings, readMail, type MailConfig } from './settings/mail.js'
import { readSignUp, signUpRules, signUpSettings, type SignUpConfig } from './settings/sign-up.js'
import { readUpstream, upstreamRules, upstreamSettings, type UpstreamConfig } from './settings/upstream.js'

const DATABASE_FILE = 'auth.db'

/** The settings, by environment variable, in the order of the documentation. */
export const Settings = Type.Object({
  ...listenSettings(3000),
  ...issuerSettings,
  ...databaseSettings(DATABASE_FILE),
  SECRET_KEY: Type.Optional(text(
    'At least 32 random characters. Protects signing keys, pushed requests, password links, set-up links, the consent page and app secrets.',
    'be random',
    { secret: 'all' }
  )),
  SECRET_KEY_PREVIOUS: Type.Optional(text('The previous `SECRET_KEY`, during a change.', 'be the previous SECRET_KEY', { secret: 'all' })),
  DEFAULT_AUDIENCE: Type.Optional(text(
    'Default `aud` of access tokens, for requests without a resource: the `AUDIENCE` of customer-service.',
    'be an absolute address without fragment, the AUDIENCE of customer-service',
    { pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s#]+$' }
  )),
  ...keySettings,
  ACCESS_TOKEN_TTL: integer('Lifetime of access tokens, in seconds.', { ...TOKEN_TTL, unit: 'seconds', default: 600 }),
  REFRESH_TOKEN_TTL: integer('Lifetime of all refresh tokens of one sign-in, in seconds.', {
    ...REFRESH_TTL, unit: 'seconds', default: 7_776_000
  }),
  REFRESH_TOKEN_IDLE_TTL: integer('Idle expiry of refresh tokens, in seconds.', { ...REFRESH_TTL, unit: 'seconds', default: 1_209_600 }),
  ...roleSettings,
  ...passwordSettings,
  ...passkeySettings,
  ...adminSettings,
  ...registrationSettings,
  ...mailSettings,
  ...signUpSettings,
  ...upstreamSettings,
  ...brandSettings,
  ...languageSettings,
  ...auditSettings,
  ...networkSettings,
  ...operationSettings,
  ...demoSettings
})
type Settings = Static<typeof Settings>

const FORMS = {
  ...addressForms,
  ...serverRules.forms,
  ...registrationRules.forms,
  ...mailRules.forms,
  ...adminRules.forms,
  ...passkeyRules.forms,
  ...upstreamRules.forms
}

const RELATIONS = [
  ...databaseRules.relations, ...productionRules.relations, ...mailRules.relations, ...adminRules.relations, ...passkeyRules.relations,
  ...signUpRules.relations, ...upstreamRules.relations, ...languageRules.relations, ...registrationRules.relations
]

/** The configuration of the server. Frozen. */
export interface Config extends
  ServerConfig, DatabaseConfig, KeyConfig, RegistrationConfig, AdminConfig, RoleConfig, PasswordConfig, PasskeyConfig, LanguageConfig,
  SignUpConfig, UpstreamConfig, AuditConfig, DemoConfig, AddressConfig {
  readonly secretKey: string
  readonly previousSecretKey: string | undefined
  readonly defaultAudience: string
  /** Seconds. */
  readonly accessTokenTtl: number
  /** Seconds since the sign-in. */
  readonly refreshTokenTtl: number
  /** Seconds since the last use. */
  readonly refreshTokenIdleTtl: number
  readonly mail: MailConfig
  readonly brand: Brand
  /** All settings for display. */
  readonly settings: readonly EffectiveSetting[]
}

/** Sets variables that the environment does not set, before the server reads it. */
export function setDefaults (defaults: Record<string, string>, env: NodeJS.ProcessEnv = process.env): void {
  for (const [name, value] of Object.entries(defaults)) env[name] ||= value
}

/** Sets the issuer that commands print, for a server that has its settings elsewhere. */
export function setIssuer (issuer: string, env: NodeJS.ProcessEnv = process.env): void {
  env.ISSUER = issuer
}

/**
 * Reads the settings.
 * @param files variables that Node.js read from files
 * @throws ConfigError with a sentence for each invalid or missing setting
 */
export function loadConfig (env: NodeJS.ProcessEnv = process.env, files = readEnvFiles()): Config {
  const brand = brandRules(env)
  const settings = readSettings(Settings, env, {
    forms: { ...FORMS, ...brand.forms },
    relations: [...RELATIONS, ...brand.relations, ...serverRules.relations]
  }, files)
  const address = readAddress(settings)
  const { issuer, isLocal } = address
  const config = {
    ...readServer(settings),
    ...readDatabase(settings, env, DATABASE_FILE),
    ...address,
    secretKey: settings.SECRET_KEY ?? DEVELOPMENT_SECRET,
    previousSecretKey: settings.SECRET_KEY_PREVIOUS,
    defaultAudience: settings.DEFAULT_AUDIENCE ?? 'http://localhost:3001',
    ...readAdmin(settings, issuer),
    ...readKeys(settings),
    ...readRoles(settings),
    ...readPasswords(settings),
    ...readSignUp(settings),
    ...readUpstream(settings),
    ...readPasskeys(settings, issuer),
    accessTokenTtl: settings.ACCESS_TOKEN_TTL,
    refreshTokenTtl: settings.REFRESH_TOKEN_TTL,
    refreshTokenIdleTtl: settings.REFRESH_TOKEN_IDLE_TTL,
    ...readRegistration(settings, isLocal),
    ...readAudit(settings),
    brand: readBrand(settings, env),
    ...readLanguage(settings),
    mail: readMail(settings, isLocal && isLoopback(settings.HOST)),
    ...readDemo(settings),
    misspelled: findMisspelled(Object.keys(Settings.properties), env)
  }
  const computed = {
    ISSUER: issuer,
    DATABASE_URL: config.databaseUrl,
    SECRET_KEY: config.secretKey,
    DEFAULT_AUDIENCE: config.defaultAudience,
    RP_ID: config.rpId,
    ADMIN_URL: config.adminUrl,
    REGISTRATION_LIMIT: config.registrationLimit,
    ALLOW_PRIVATE_NETWORKS: config.allowPrivateNetworks
  }
  return Object.freeze({ ...config, settings: describeSettings(Settings, env, files, computed) })
}

/** Reads only the database settings, for a program that needs no others. @throws ConfigError with a sentence for each invalid one */
export function loadDatabase (env: NodeJS.ProcessEnv = process.env): DatabaseConfig & Pick<Config, 'misspelled'> {
  const schema = Type.Object(databaseSettings(DATABASE_FILE))
  return {
    ...readDatabase(readSettings(schema, env, databaseRules), env, DATABASE_FILE),
    misspelled: findMisspelled(Object.keys(Settings.properties), env).filter(({ setting }) => setting in schema.properties)
  }
}

/** Reads only the schemes of callbacks, for a command that registers clients. @throws ConfigError with a sentence if they are invalid */
export function loadCallbackSchemes (env: NodeJS.ProcessEnv = process.env): readonly string[] {
  return parseList(readSettings(Type.Pick(Settings, ['CALLBACK_SCHEMES']), env, { forms: registrationRules.forms }).CALLBACK_SCHEMES)
}

/** Reads only what decides about metadata documents, for a command. @throws ConfigError with a sentence for each invalid setting */
export function loadDocumentRules (
  env: NodeJS.ProcessEnv = process.env
): Pick<Config, 'callbackSchemes' | 'clientMetadataDocuments' | 'allowPrivateNetworks'> {
  const names = ['PORT', 'ISSUER', 'ENVIRONMENT', 'ALLOW_PRIVATE_NETWORKS', 'CALLBACK_SCHEMES', 'CLIENT_METADATA_DOCUMENTS'] as const
  const settings = readSettings(Type.Pick(Settings, [...names]), env, { forms: FORMS })
  return {
    allowPrivateNetworks: readAddress(settings).allowPrivateNetworks,
    callbackSchemes: parseList(settings.CALLBACK_SCHEMES),
    clientMetadataDocuments: settings.CLIENT_METADATA_DOCUMENTS === 'on'
  }
}

/** Reads only the settings of passwords, for a command that sets one. @throws ConfigError with a sentence if they are invalid */
export function loadPasswords (env: NodeJS.ProcessEnv = process.env): PasswordConfig {
  return readPasswords(readSettings(Type.Object(passwordSettings), env))
}

/** The issuer, unchecked, even if other settings are invalid; `undefined` in production if it is not set. */
export function findIssuer ({ ISSUER, PORT, ENVIRONMENT }: NodeJS.ProcessEnv = process.env): string | undefined {
  return ISSUER || (ENVIRONMENT === 'production' ? undefined : `http://localhost:${PORT || Settings.properties.PORT.default}`)
}
