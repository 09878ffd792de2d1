import { integer, oneOf, text, type SettingsRules } from '@frontdesk/service-kit/settings'
import { Type, type Static } from '@sinclair/typebox'
import { join, resolve } from 'node:path'

/** Both timeouts together are less than the 3 s within which clients get a 503. */
const timeout = (description: string, maximum: number) =>
  integer(description, { unit: 'milliseconds', minimum: 100, maximum, default: maximum })

/** Settings of the database. @param file name of the database file in DATA_DIR */
export function databaseSettings (file: string) {
  return {
    DATABASE_URL: text(
      'Database: `file:` and a path, or `postgresql://…`.',
      'be file: and a path, or an address that begins with postgresql://',
      { pattern: '^(file:.|postgres(ql)?://.)', default: `file:./data/${file}`, secret: 'in address' }
    ),
    DATA_DIR: text('Folder of the database file, unless `DATABASE_URL` is set.', 'be the path of a folder', { default: './data' }),
    DATABASE_POOL_SIZE: integer('Maximum connections to PostgreSQL per process.', { minimum: 1, maximum: 100, default: 10 }),
    DATABASE_CONNECT_TIMEOUT: timeout('Timeout for a connection to PostgreSQL, in milliseconds.', 1_000),
    DATABASE_STATEMENT_TIMEOUT: timeout('Timeout for a statement, and on SQLite for a lock, in milliseconds.', 1_500),
    DATABASE_TLS: oneOf('`on` encrypts the connection to PostgreSQL and verifies its certificate and name.', ['off', 'on']),
    DATABASE_TLS_CA: Type.Optional(
      text(
        'PEM file of the authority that signed PostgreSQL\'s certificate. Default: the authorities that Node.js trusts.',
        'be the path of a PEM file'
      )
    ),
    DATABASE_PREPARED_STATEMENTS: oneOf(
      'Whether to use prepared statements, which are faster. `auto` uses them unless there is a connection pooler.',
      ['auto', 'on', 'off']
    )
  }
}

type DatabaseSettings = Static<ReturnType<typeof Type.Object<ReturnType<typeof databaseSettings>>>>

/** Rules of {@link databaseSettings}. */
export const databaseRules = {
  relations: [{
    names: ['DATABASE_URL', 'DATABASE_TLS'],
    whyNot: ({ DATABASE_URL: url, DATABASE_TLS: tls }) => tls === 'on' && isFile(url)
      ? 'DATABASE_TLS must be off with a file. Set DATABASE_URL to an address that begins with postgresql://.'
      : null
  }, {
    names: ['DATABASE_TLS', 'DATABASE_TLS_CA'],
    whyNot: ({ DATABASE_TLS: tls, DATABASE_TLS_CA: ca }) => tls === 'off' && ca !== undefined
      ? 'DATABASE_TLS_CA is for DATABASE_TLS=on. Set that too, or remove it.'
      : null
  }, {
    names: ['DATABASE_URL'],
    whyNot: ({ DATABASE_URL: url }) => whyNotAddress('DATABASE_URL', url)
  }]
} satisfies SettingsRules<DatabaseSettings>

/** The setting of a service that can read from a standby. */
export const standbySettings = {
  DATABASE_READ_URL: Type.Optional(
    text(
      'A hot standby of `DATABASE_URL` (PostgreSQL), for lists and searches.',
      'be an address that begins with postgresql://',
      { pattern: '^postgres(ql)?://.', secret: 'in address' }
    )
  )
}

/** Rules of {@link standbySettings}. */
export const standbyRules = {
  relations: [{
    names: ['DATABASE_URL', 'DATABASE_READ_URL'],
    whyNot: ({ DATABASE_URL: url, DATABASE_READ_URL: readUrl }) => readUrl !== undefined && isFile(url)
      ? 'DATABASE_READ_URL is for PostgreSQL. Set DATABASE_URL to the primary, or remove DATABASE_READ_URL.'
      : null
  }, {
    names: ['DATABASE_READ_URL'],
    whyNot: ({ DATABASE_READ_URL: url }) => url === undefined ? null : whyNotAddress('DATABASE_READ_URL', url)
  }]
} satisfies SettingsRules<DatabaseSettings & { DATABASE_READ_URL?: string }>

/** The connection settings of the database. */
export interface DatabaseOptions {
  /** Maximum connections to PostgreSQL. */
  readonly poolSize: number
  /** Timeout for a connection to PostgreSQL, in milliseconds. */
  readonly connectTimeout: number
  /** Timeout for a statement, and on SQLite for a lock, in milliseconds. */
  readonly statementTimeout: number
  /** Whether to create the folder of a SQLite file: not in production, where a missing one is a typo or an unmounted volume. */
  readonly createsFolder: boolean
  /** Whether to encrypt the connection to PostgreSQL, and to verify its certificate and name. */
  readonly tls: boolean
  /** PEM file of the certificate's authority; `undefined`: those that Node.js trusts. */
  readonly tlsCa: string | undefined
  /** Whether to use named prepared statements; `auto`: unless a connection pooler is in front of PostgreSQL. */
  readonly preparedStatements: 'auto' | 'on' | 'off'
}

export interface DatabaseConfig {
  /** `file:/absolute/path` or `postgresql://…`. */
  readonly databaseUrl: string
  readonly database: DatabaseOptions
}

/**
 * Converts settings that {@link databaseRules} accept.
 * @param env for ENVIRONMENT, and for INIT_CWD, which npm sets to the folder of relative paths
 * @param file name of the database file in DATA_DIR
 */
export function readDatabase (settings: DatabaseSettings, env: NodeJS.ProcessEnv, file: string): DatabaseConfig {
  const url = env.DATABASE_URL ? settings.DATABASE_URL : `file:${join(settings.DATA_DIR, file)}`
  return {
    databaseUrl: isFile(url) ? `file:${resolve(env.INIT_CWD ?? process.cwd(), url.slice('file:'.length))}` : url,
    database: Object.freeze({
      poolSize: settings.DATABASE_POOL_SIZE,
      connectTimeout: settings.DATABASE_CONNECT_TIMEOUT,
      statementTimeout: settings.DATABASE_STATEMENT_TIMEOUT,
      // Commands read only the database's settings, so ENVIRONMENT may be unchecked.
      createsFolder: (env.ENVIRONMENT || 'development') === 'development',
      tls: settings.DATABASE_TLS === 'on',
      tlsCa: settings.DATABASE_TLS_CA,
      preparedStatements: settings.DATABASE_PREPARED_STATEMENTS
    })
  }
}

/** Explains why a database URL is invalid; `null` if it is valid. @param name of its setting or option */
export function whyNotAddress (name: string, url: string): string | null {
  if (isFile(url)) {
    const [parameters] = /\?[^/]*$/.exec(url) ?? []
    return parameters === undefined
      ? null
      : `${name} must be file: and a path, without parameters. Remove ${parameters}. If the file name contains it, rename the file.`
  }
  if (namesSeveralServers(url)) {
    return `${name} must name one server, without target_session_attrs. For several servers, use HAProxy or PgBouncer, or the address that your provider has for it.`
  }
  // The driver would let these parameters override DATABASE_TLS.
  return /[?&](ssl|uselibpqcompat)[a-z]*=/i.test(url)
    ? `${name} must not have TLS parameters. Remove those that begin with ssl, and set DATABASE_TLS=on.`
    : null
}

function isFile (url: string): boolean {
  return url.startsWith('file:')
}

/** Syntax of libpq that the driver lacks: it would look up a host with a comma in its name, or connect to a standby. */
function namesSeveralServers (url: string): boolean {
  const [, hosts = '', query = ''] = /^[^:]*:\/\/(?:[^/?]*@)?([^/?]*)[^?]*(\?.*)?$/.exec(url) ?? []
  return hosts.includes(',') || /[?&]((target_session_attrs|load_balance_hosts|hostaddr)=|(host|port)=[^&]*(,|%2c))/i.test(query)
}
