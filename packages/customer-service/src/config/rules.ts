import { isLoopback, isNetwork, parseHttpUrl } from './address.js'
import type { Settings } from './settings.js'

/** Checks of single settings that no pattern can make; the sentence is the setting's own `rule`. */
export const forms: Partial<Record<keyof Settings, (value: string) => boolean>> = {
  // Ajv takes a blank for 0 and 1e3 for 1000.
  PORT: isDigits,
  DATABASE_POOL_SIZE: isDigits,
  DATABASE_CONNECT_TIMEOUT: isDigits,
  DATABASE_STATEMENT_TIMEOUT: isDigits,
  ISSUER: value => parseHttpUrl(value) !== undefined,
  JWKS_URL: value => URL.canParse(value) && new URL(value).username === '',
  REVOCATIONS_URL: value => value === 'none' || parseHttpUrl(value) !== undefined,
  REVOCATIONS_MAX_AGE: isDigits,
  SERVICE_ROOT: value => parseHttpUrl(value) !== undefined,
  CORS_ORIGINS: value => parseList(value).every(origin => parseHttpUrl(origin)?.origin === origin),
  IMPLICIT_DEPRECATION: isDate,
  IMPLICIT_SUNSET: isDate,
  IMPLICIT_LINK: value => URL.canParse(value),
  TRUST_PROXY: value => value === 'false' || parseList(value).every(isNetwork)
}

/** What settings demand of each other: looked at once every setting in `names` is well-formed. */
export const relations: Array<{ names: Array<keyof Settings>, sentence: string, isBroken: (settings: Settings) => boolean }> = [{
  names: ['ENVIRONMENT', 'AUTH', 'ISSUER'],
  sentence: 'ISSUER must be set in production: the issuer of the access tokens, such as https://login.example.',
  isBroken: ({ ENVIRONMENT, AUTH, ISSUER }) => ENVIRONMENT === 'production' && AUTH === 'required' && ISSUER === undefined
}, {
  names: ['ENVIRONMENT', 'ISSUER'],
  sentence: 'ISSUER must begin with https:// in production, unless it is on this machine.',
  isBroken: ({ ENVIRONMENT, ISSUER }) => ENVIRONMENT === 'production' && isOpenToEavesdroppers(ISSUER)
}, {
  names: ['ENVIRONMENT', 'AUTH', 'AUDIENCE'],
  sentence: 'AUDIENCE must be set in production: what access tokens for this service hold as aud, such as https://customers.example.',
  isBroken: ({ ENVIRONMENT, AUTH, AUDIENCE }) => ENVIRONMENT === 'production' && AUTH === 'required' && AUDIENCE === undefined
}, {
  names: ['IMPLICIT_DEPRECATION', 'IMPLICIT_SUNSET', 'IMPLICIT_LINK'],
  sentence: 'IMPLICIT_DEPRECATION must be set where IMPLICIT_SUNSET or IMPLICIT_LINK is: since when tokens of the implicit grant are deprecated.',
  isBroken: ({ IMPLICIT_DEPRECATION: since, IMPLICIT_SUNSET: until, IMPLICIT_LINK: link }) => since === undefined && (until ?? link) !== undefined
}, {
  names: ['IMPLICIT_DEPRECATION', 'IMPLICIT_SUNSET'],
  sentence: 'IMPLICIT_SUNSET must not be before IMPLICIT_DEPRECATION.',
  isBroken: ({ IMPLICIT_DEPRECATION: since, IMPLICIT_SUNSET: until }) => since !== undefined && until !== undefined && Date.parse(until) < Date.parse(since)
}, {
  names: ['METRICS_PORT', 'PORT'],
  sentence: 'METRICS_PORT must be another port than PORT.',
  isBroken: ({ METRICS_PORT, PORT }) => METRICS_PORT === PORT
}, {
  names: ['AUTH', 'HOST', 'AUTH_NONE_ANYWHERE'],
  sentence: 'HOST must be 127.0.0.1, ::1 or localhost with AUTH=none, or AUTH_NONE_ANYWHERE must be yes: every caller could change every customer.',
  isBroken: ({ AUTH, HOST, AUTH_NONE_ANYWHERE: anywhere }) => AUTH === 'none' && !isLoopback(HOST) && anywhere === undefined
}]

/** Splits at commas; blanks around entries and empty entries do not count. */
export function parseList (list: string): string[] {
  return list.split(',').map(entry => entry.trim()).filter(entry => entry !== '')
}

/** Not the 30th of February, which JavaScript takes for the 2nd of March. */
function isDate (value: string) {
  const day = value.slice(0, 10)
  return !Number.isNaN(Date.parse(value)) && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
}

function isDigits (value: string) {
  return /^\d+$/.test(value)
}

function isOpenToEavesdroppers (issuer = '') {
  const url = parseHttpUrl(issuer)
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
}
