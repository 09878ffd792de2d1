import { isRemoteHttp, parseHttpUrl } from '@frontdesk/service-kit/address'
import { brandRules, brandSettings, readBrand, type Brand } from '@frontdesk/service-kit/brand/settings'
import { findMisspelled, readEnvFiles } from '@frontdesk/service-kit/misspelled'
import { listenSettings, operationSettings, readServer, serverRules, type ServerConfig } from '@frontdesk/service-kit/server-settings'
import { oneOf, readSettings, text, type Relation } from '@frontdesk/service-kit/settings'
import { Type, type Static } from '@sinclair/typebox'
import { tags, type Language } from './languages/languages.js'

const ADDRESS = 'be an http or https address without user name, query and fragment'

/** The settings by environment variable, in the order of the documentation. Defaults that depend on other settings are below. */
export const Settings = Type.Object({
  ...listenSettings(3002),
  ISSUER: Type.Optional(text('Public address of auth-server: its `ISSUER`.', ADDRESS)),
  CUSTOMER_URL: Type.Optional(text('Public address of customer-service.', ADDRESS)),
  CLIENT_ID: Type.Optional(text('`client_id` of the desk at auth-server.',
    'be the client_id of an app that is registered with the issuer, in visible ASCII characters', { pattern: '^[\\x21-\\x7e]{1,255}$' })),
  // Not LANGUAGE, which many systems set for gettext.
  DEFAULT_LANGUAGE: oneOf('Language for users whose browser prefers none of these.', tags),
  ...brandSettings,
  ...operationSettings
})
type Settings = Static<typeof Settings>

/** The parsed settings. Frozen. */
export interface Config extends ServerConfig {
  readonly issuer: string
  /** Without trailing slash. */
  readonly customerUrl: string
  readonly clientId: string
  /** For browsers that prefer no language of the desk. */
  readonly defaultLanguage: Language
  readonly brand: Brand
}

/** Values in development: the programs of `npm start`. */
const DEVELOPMENT = { ISSUER: 'http://localhost:3000', CUSTOMER_URL: 'http://localhost:3001', CLIENT_ID: 'desk' }

/**
 * Reads the settings.
 * @param files variables that Node.js read from files
 * @throws ConfigError with a sentence for each invalid or missing setting
 */
export function loadConfig (env: NodeJS.ProcessEnv = process.env, files = readEnvFiles()): Config {
  const brand = brandRules(env)
  const settings = readSettings(Settings, env, {
    forms: { ...serverRules.forms, ...brand.forms, ISSUER: isAddress, CUSTOMER_URL: isAddress },
    relations: [...required, ...encrypted, ...brand.relations, ...serverRules.relations]
  }, files)
  const { ISSUER: issuer, CUSTOMER_URL: customerUrl, CLIENT_ID: clientId } = { ...DEVELOPMENT, ...settings }
  return Object.freeze({
    ...readServer(settings),
    issuer,
    customerUrl: customerUrl.replace(/\/$/, ''),
    clientId,
    defaultLanguage: settings.DEFAULT_LANGUAGE,
    brand: readBrand(settings, env),
    misspelled: findMisspelled(Object.keys(Settings.properties), env)
  })
}

const isAddress = (text: string) => parseHttpUrl(text) !== undefined

const required = Object.entries({
  ISSUER: 'the public address of auth-server, such as https://login.example',
  CUSTOMER_URL: 'the public address of customer-service, such as https://customers.example',
  CLIENT_ID: 'the client_id that the desk is registered with'
}).map(([name, meaning]): Relation<Settings> => ({
  // as: the keys of the object above.
  names: ['ENVIRONMENT', name as keyof Settings],
  whyNot: settings => settings.ENVIRONMENT === 'production' && !(name in settings) ? `${name} must be set in production: ${meaning}.` : null
}))

const encrypted = (['ISSUER', 'CUSTOMER_URL'] as const).map((name): Relation<Settings> => ({
  names: ['ENVIRONMENT', name],
  whyNot: ({ ENVIRONMENT, [name]: address }) => ENVIRONMENT === 'production' && address !== undefined && isRemoteHttp(address)
    ? `${name} must begin with https:// in production, unless it is on this machine.`
    : null
}))
