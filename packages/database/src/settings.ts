import { Type, type Static } from '@sinclair/typebox'
import { join } from 'node:path'

/** Both timeouts together stay below the 3 s within which a caller must get its 503. */
const milliseconds = (description: string, most: number) => Type.Integer({
  minimum: 100, maximum: most, default: most, rule: `be a whole number of milliseconds from 100 to ${most}`, description
})

const oneOf = <const T extends string>(description: string, values: T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: values, default: values[0], rule: `be ${values.join(' or ')}`, description })

/** How the database is reached: settings of both services, each with the `rule` that completes the sentence "NAME must …". */
export const databaseSettings = {
  DATA_DIR: Type.String({ default: './data', rule: 'be the path of a folder', description: 'Folder of the database file, unless `DATABASE_URL` is set.' }),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, maximum: 100, default: 10, rule: 'be a whole number from 1 to 100', description: 'Maximum connections to PostgreSQL per process.' }),
  DATABASE_CONNECT_TIMEOUT: milliseconds('Timeout for a connection to PostgreSQL, in milliseconds.', 1_000),
  DATABASE_STATEMENT_TIMEOUT: milliseconds('Timeout for a statement, and on SQLite for a lock, in milliseconds.', 1_500),
  DATABASE_TLS: oneOf('`on` encrypts the connection to PostgreSQL and verifies its certificate and name.', ['off', 'on']),
  DATABASE_TLS_CA: Type.Optional(Type.String({ rule: 'be the path of a PEM file', description: 'PEM file of the authority that signed the certificate of PostgreSQL; by default, those that Node.js trusts.' })),
  DATABASE_PREPARED_STATEMENTS: oneOf('Whether to use prepared statements, which are faster; `auto`: unless a connection pooler is in front.', ['auto', 'on', 'off'])
}

/** What {@link databaseSettings} hold, and the address. */
export type DatabaseSettings = Static<ReturnType<typeof Type.Object<typeof databaseSettings>>> & { DATABASE_URL: string }

/** How the database is reached. */
export interface DatabaseOptions {
  /** Connections at most. */
  readonly poolSize: number
  /** Milliseconds. */
  readonly connectTimeout: number
  /** Milliseconds. */
  readonly statementTimeout: number
  /** Whether to encrypt, and verify whom we talk to. */
  readonly tls: boolean
  /** PEM file of who signs the server's certificate; whom Node.js trusts if not given. */
  readonly tlsCa: string | undefined
  /** Whether PostgreSQL keeps statements under names; `auto`: unless a proxy stands before it. */
  readonly preparedStatements: 'auto' | 'on' | 'off'
}

/** The environment with a DATABASE_URL that names the file in DATA_DIR, where only DATA_DIR is set. */
export function withDatabaseUrl (env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: url, DATA_DIR: folder } = env
  return url || !folder ? env : { ...env, DATABASE_URL: `file:${join(folder, file)}` }
}

/** The settings, ready for use. */
export function readDatabaseOptions (settings: DatabaseSettings): DatabaseOptions {
  return Object.freeze({
    poolSize: settings.DATABASE_POOL_SIZE,
    connectTimeout: settings.DATABASE_CONNECT_TIMEOUT,
    statementTimeout: settings.DATABASE_STATEMENT_TIMEOUT,
    tls: settings.DATABASE_TLS === 'on',
    tlsCa: settings.DATABASE_TLS_CA,
    preparedStatements: settings.DATABASE_PREPARED_STATEMENTS
  })
}

/** What these settings demand of each other, a sentence each. */
export function * databaseMistakes ({ DATABASE_URL: url, DATABASE_TLS: tls, DATABASE_TLS_CA: ca }: DatabaseSettings): Generator<string> {
  const isFile = url.startsWith('file:')
  if (tls === 'on' && isFile) yield 'DATABASE_TLS must be off with a file. Set DATABASE_URL to an address that begins with postgresql://.'
  if (tls === 'off' && ca !== undefined) yield 'DATABASE_TLS_CA is for DATABASE_TLS=on. Set that too, or remove it.'
  yield * addressMistakes('DATABASE_URL', url)
}

/** What is wrong with the address of a database, a sentence each. @param name of the setting or option that holds it */
export function * addressMistakes (name: string, url: string): Generator<string> {
  if (url.startsWith('file:')) {
    const [parameters] = /\?[^/]*$/.exec(url) ?? []
    if (parameters !== undefined) yield `${name} must be file: and a path, without parameters. Remove ${parameters}. A file whose name holds it has to be renamed.`
    return
  }
  if (namesSeveralServers(url)) {
    yield `${name} must name one server, without target_session_attrs. Put HAProxy or PgBouncer before several and name that, or name the one address of your provider that leads to the primary.`
  }
  // The driver would let them override what is said here.
  if (/[?&](ssl|uselibpqcompat)[a-z]*=/i.test(url)) yield `${name} must not say how to encrypt. Remove its ssl… parameters, and set DATABASE_TLS=on.`
}

/** What libpq understands and our driver does not: it would look for one host with a comma in its name, or connect to a standby. */
function namesSeveralServers (url: string): boolean {
  const [, hosts = '', query = ''] = /^[^:]*:\/\/(?:[^/?]*@)?([^/?]*)[^?]*(\?.*)?$/.exec(url) ?? []
  return hosts.includes(',') || /[?&]((target_session_attrs|load_balance_hosts|hostaddr)=|(host|port)=[^&]*(,|%2c))/i.test(query)
}
