import t from 'tap'
import { ConfigError } from '@frontdesk/service-kit/settings'
import { Settings, loadConfig } from '../src/config.js'

const production = { ENVIRONMENT: 'production', ISSUER: 'https://login.example', AUDIENCE: 'https://customers.example' }

function sentences (env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.sentences
  }
}

t.test('development has a default for everything, and binds to loopback', async t => {
  const config = loadConfig({ INIT_CWD: '/home/me' })
  t.same(config, {
    host: '127.0.0.1',
    port: 3001,
    databaseUrl: 'file:/home/me/data/customers.db',
    database: { poolSize: 10, connectTimeout: 1000, statementTimeout: 1500, createsFolder: true, tls: false, tlsCa: undefined, preparedStatements: 'auto' },
    synchronous: 'FULL',
    readUrl: null,
    auth: {
      issuer: 'http://localhost:3000', audience: 'http://localhost:3001', jwksUrl: 'http://localhost:3000/.well-known/jwks.json', revocationsUrl: 'http://localhost:3000/revocations', revocationsMaxAge: 600, algorithms: ['ES256', 'RS256', 'EdDSA', 'Ed25519']
    },
    serviceRoot: '',
    prefix: '',
    mcp: false,
    requireIfMatch: false,
    rateLimit: null,
    stepUp: null,
    allowPrivateNetworks: true,
    retention: { historyDays: 90, feedDays: 7 },
    docs: { clientId: undefined },
    implicitDeprecation: null,
    corsOrigins: ['http://localhost:3002'],
    trustProxy: false,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    tracing: false,
    logLevel: 'info',
    production: false,
    misspelled: []
  })
  t.ok(Object.isFrozen(config))
  t.ok(Object.isFrozen(config.auth))
})

t.test('settings are read as they are meant', async t => {
  const env = (settings: Record<string, string>) => loadConfig({ ...production, ...settings })
  t.equal(env({ REQUIRE_IF_MATCH: 'true' }).requireIfMatch, true)
  t.equal(env({ MCP: 'on', SERVICE_ROOT: 'https://api.example' }).mcp, true)
  t.same(env({ RATE_LIMIT: '600/60s' }).rateLimit, { requests: 600, seconds: 60 })
  t.same(env({ HISTORY_DAYS: '0', FEED_DAYS: '30' }).retention, { historyDays: 0, feedDays: 30 })
  t.same(env({ DOCS_CLIENT_ID: 'docs' }).docs, { clientId: 'docs' })
  t.equal(env({ DOCS: 'off', DOCS_CLIENT_ID: 'docs' }).docs, null)
  t.same(env({}).corsOrigins, [])
  t.same(env({ CORS_ORIGINS: 'https://a.example, http://localhost:1,' }).corsOrigins, ['https://a.example', 'http://localhost:1'])
  t.match(env({ SERVICE_ROOT: 'https://api.example/crm/' }), { serviceRoot: 'https://api.example/crm', prefix: '/crm' })
  t.match(env({ SERVICE_ROOT: 'https://api.example' }), { serviceRoot: 'https://api.example', prefix: '' })
  t.same(env({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy, ['10.0.0.0/8', '::1'])
  t.same(env({ TRUST_PROXY: 'loopback,uniquelocal' }).trustProxy, ['loopback', 'uniquelocal'])
  t.equal(env({ DATABASE_URL: 'postgresql://user:secret@db/customers' }).databaseUrl, 'postgresql://user:secret@db/customers')
  t.equal(env({ DATABASE_URL: 'file:///var/lib/c.db' }).databaseUrl, 'file:/var/lib/c.db')
  t.equal(env({ DATABASE_URL: 'file:c.db', INIT_CWD: '/a' }).databaseUrl, 'file:/a/c.db')
  t.equal(env({ DATA_DIR: 'c', INIT_CWD: '/a' }).databaseUrl, 'file:/a/c/customers.db')
  t.equal(env({ DATA_DIR: '/c', DATABASE_URL: 'file:/b.db' }).databaseUrl, 'file:/b.db')
  t.equal(env({ ISSUER: 'https://login.example/tenant/' }).auth?.jwksUrl, 'https://login.example/tenant/.well-known/jwks.json')
  t.equal(env({ ISSUER: 'https://login.example/tenant/' }).auth?.issuer, 'https://login.example/tenant/')
  t.equal(env({ ISSUER: 'http://127.0.0.1:3000' }).auth?.issuer, 'http://127.0.0.1:3000', 'plain http on loopback')
  t.equal(env({ JWKS_URL: 'http://auth:3000/keys?x=1' }).auth?.jwksUrl, 'http://auth:3000/keys?x=1')
  t.equal(env({ JWKS_URL: 'http://auth:3000/id/.well-known/jwks.json' }).auth?.revocationsUrl, 'http://auth:3000/id/revocations', 'beside the keys')
  t.equal(env({ ISSUER: 'https://login.example/tenant/', JWKS_URL: 'http://auth:3000/keys' }).auth?.revocationsUrl, 'https://login.example/tenant/revocations')
  t.equal(env({ REVOCATIONS_URL: 'none' }).auth?.revocationsUrl, null)
  t.same(env({ SIGNING_ALGS: 'ES256, ES256' }).auth?.algorithms, ['ES256'])
  t.same(env({ SIGNING_ALGS: 'Ed25519' }).auth?.algorithms, ['Ed25519'])
  t.equal(env({ PORT: '', LOG_LEVEL: '' }).port, 3001, 'an empty variable counts as not set')
  t.equal(loadConfig({ PORT: '4001' }).auth?.audience, 'http://localhost:4001')
  t.equal(loadConfig({ ENVIRONMENT: 'production', AUTH: 'none' }).auth, null)
  t.equal(loadConfig({ AUTH: 'none', HOST: '0.0.0.0', AUTH_NONE_ANYWHERE: 'yes' }).host, '0.0.0.0')
  for (const HOST of ['localhost', '127.8.8.8', '::1']) t.equal(loadConfig({ AUTH: 'none', HOST }).host, HOST)
})

t.test('a wrong setting is one exact sentence that never shows its value', async t => {
  const wrong: Record<string, string[]> = {
    HOST: ['a b', 'http://localhost'],
    PORT: ['abc', '-1', '65536', '1.5', '1e3', ' '],
    DATABASE_URL: ['mysql://user:secret@db/x', 'file:', './data.db', 'postgresql://'],
    DATA_DIR: [],
    DATABASE_POOL_SIZE: ['0', '101', '1e1', 'many'],
    DATABASE_CONNECT_TIMEOUT: ['99', '1001', '1s', ' '],
    DATABASE_STATEMENT_TIMEOUT: ['0', '1501', '1e3'],
    DATABASE_TLS: ['verify-full', 'true', 'ON'],
    DATABASE_TLS_CA: [],
    DATABASE_PREPARED_STATEMENTS: ['true', 'yes'],
    DATABASE_READ_URL: ['file:./data/customers.db', 'standby'],
    AUTH: ['no', 'None'],
    AUTH_NONE_ANYWHERE: ['true', 'no'],
    ISSUER: ['login.example', 'ftp://login.example', 'https://login.example/?a=1', 'https://login.example#a', 'https://user:secret@login.example', 'https://'],
    JWKS_URL: ['keys.json', 'file:///keys', 'https://', 'https://user:secret@login.example/keys'],
    REVOCATIONS_URL: ['revocations.json', 'off', 'https://', 'https://user:secret@login.example/r', 'https://login.example/r?x=1'],
    REVOCATIONS_MAX_AGE: ['14', '86401', '1e2', 'never'],
    AUDIENCE: ['customers', 'https://customers.example/#a', 'https://a b'],
    SIGNING_ALGS: ['none', 'HS256', 'ES256;RS256', 'es256'],
    STEP_UP_ACR: ['mfa', 'URN:FRONTDESK:ACR:MFA', 'urn:frontdesk:acr:mfa phr', '2'],
    STEP_UP_MAX_AGE: ['59', '86401', '5m', '-1'],
    STEP_UP_CLIENTS: ['schlüssel', 'a\tb'],
    IMPLICIT_DEPRECATION: ['soon', '2027', '2027-13-01', '2027-02-30', '31.01.2027', '2027-01-31T00:00:00', '2027-01-31T25:00:00Z', '1688169599'],
    IMPLICIT_SUNSET: ['never', '2027-02-29', '@1688169599'],
    IMPLICIT_LINK: ['page.html', 'https://', 'https://docs.example/>; rel="next"'],
    CORS_ORIGINS: ['*', 'https://a.example/', 'https://a.example/path', 'a.example', 'https://A.example', 'https://a.example:443', 'null'],
    SERVICE_ROOT: ['/crm', 'https://api.example/:crm', 'https://api.example/a//b', 'https://api.example/?a', 'https://api.example/*'],
    DOCS: ['yes', 'OFF'],
    DOCS_CLIENT_ID: ['two words', 'schlüssel', 'x'.repeat(256)],
    MCP: ['yes', 'true', 'ON'],
    REQUIRE_IF_MATCH: ['yes', 'TRUE'],
    HISTORY_DAYS: ['-1', '3651', '1.5', 'ninety'],
    FEED_DAYS: ['-1', '3651', '7d'],
    RATE_LIMIT: ['600', '600/60', '0/60s', '600/0s', '1000000/60s', '600/1m', '600 / 60s', 'off'],
    ALLOW_PRIVATE_NETWORKS: ['yes', 'TRUE'],
    TRUST_PROXY: ['true', 'yes', '-1', '2', '10.0.0.0/33', '10.0.0.0/', '10.0.0', '::1/129', '10.0.0.0/99', 'loopback, nonsense', '300.1.1.1', ' ', ','],
    METRICS_PORT: ['-1', '65536', 'metrics', '1e3', ' '],
    METRICS_HOST: ['a b'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector'],
    LOG_LEVEL: ['verbose', 'INFO'],
    ENVIRONMENT: ['prod', 'test'],
    SQLITE_SYNCHRONOUS: ['OFF', 'full']
  }
  t.same(Object.keys(wrong), Object.keys(Settings.properties), 'every setting is in the table')
  for (const [name, values] of Object.entries(wrong)) {
    const { rule } = Settings.properties[name as keyof Settings]
    for (const value of values) t.same(sentences({ [name]: value }), [`${name} must ${rule}.`], `${name}=${value}`)
  }
})

t.test('each contradiction among the database settings is reported in a sentence', async t => {
  const url = 'postgresql://user:secret@db/customers'
  t.same(sentences({ DATABASE_URL: url, DATABASE_TLS: 'on', DATABASE_TLS_CA: '/ca.pem' }), [])
  t.match(sentences({ DATABASE_TLS: 'on' }), [/^DATABASE_TLS must be off with a file\./])
  t.match(sentences({ DATABASE_URL: url, DATABASE_TLS_CA: '/ca.pem' }), [/^DATABASE_TLS_CA is for DATABASE_TLS=on\./])
  t.same(sentences({ DATABASE_URL: url, DATABASE_READ_URL: url }), [])
  t.match(sentences({ DATABASE_READ_URL: url }), [/^DATABASE_READ_URL is for PostgreSQL\. Set DATABASE_URL to the primary/])
  t.match(sentences({ DATABASE_URL: url, DATABASE_READ_URL: 'postgresql://a,b/c' }), [/^DATABASE_READ_URL must name one server/])
  for (const parameter of ['sslmode=require', 'application_name=a&sslrootcert=/ca.pem', 'ssl=true', 'uselibpqcompat=true&sslmode=require']) {
    t.match(sentences({ DATABASE_URL: `${url}?${parameter}` }), [/^DATABASE_URL must not have TLS parameters\. .* DATABASE_TLS=on\.$/], parameter)
  }
  for (const several of ['postgresql://a,b/customers', 'postgresql://u:p@a:5432,b:5433/customers', 'postgresql://u:p,q@a,b/c?target_session_attrs=any', `${url}?target_session_attrs=read-write`,
    `${url}?connect_timeout=1&host=a,b`, `${url}?host=a%2Cb`, `${url}?load_balance_hosts=random`]) {
    t.match(sentences({ DATABASE_URL: several }), [/^DATABASE_URL must name one server, without target_session_attrs\. For several servers, use HAProxy or PgBouncer, or .* your provider/], several)
  }
  t.same(sentences({ DATABASE_URL: 'file:x.db?x=1' }), ['DATABASE_URL must be file: and a path, without parameters. Remove ?x=1. If the file name contains it, rename the file.'])
  for (const one of ['file:./a?b/x.db', 'postgresql://user:se,cret@db/customers', `${url}?application_name=a,b`, 'postgresql://[::1]:5432/customers']) t.same(sentences({ DATABASE_URL: one }), [], one)
})

t.test('the end of the implicit grant is parsed, and invalid values are reported in a sentence', async t => {
  const since = { IMPLICIT_DEPRECATION: '2026-12-01' }
  t.same(loadConfig(since).implicitDeprecation, { deprecatedAt: new Date('2026-12-01T00:00:00Z'), endsAt: undefined, link: undefined })
  t.same(loadConfig({ ...since, IMPLICIT_SUNSET: '2028-02-29T01:00:00+01:00', IMPLICIT_LINK: 'https://docs.example/move?from=implicit#code' }).implicitDeprecation,
    { deprecatedAt: new Date('2026-12-01T00:00:00Z'), endsAt: new Date('2028-02-29T00:00:00Z'), link: 'https://docs.example/move?from=implicit#code' })
  t.match(sentences({ IMPLICIT_SUNSET: '2027-01-01' }), [/^IMPLICIT_DEPRECATION must be set where IMPLICIT_SUNSET or IMPLICIT_LINK is/])
  t.match(sentences({ IMPLICIT_LINK: 'https://docs.example' }), [/^IMPLICIT_DEPRECATION must be set where/])
  t.same(sentences({ ...since, IMPLICIT_SUNSET: '2026-11-30' }), ['IMPLICIT_SUNSET must not be before IMPLICIT_DEPRECATION.'])
})

t.test('what exports and erasing require is read, and exceptions alone are reported in a sentence', async t => {
  t.same(loadConfig({ STEP_UP_ACR: 'phr' }).stepUp, { acr: 'phr', maxAge: undefined, clients: [] })
  t.same(loadConfig({ STEP_UP_MAX_AGE: '60', STEP_UP_CLIENTS: 'backup, https://app.example/client' }).stepUp,
    { acr: undefined, maxAge: 60, clients: ['backup', 'https://app.example/client'] })
  t.match(sentences({ STEP_UP_CLIENTS: 'backup' }), [/^STEP_UP_ACR or STEP_UP_MAX_AGE must be set where STEP_UP_CLIENTS is/])
})

t.test('AUTH=none does not go with a requirement of the sign-in, which it would not check', async t => {
  for (const env of [{ STEP_UP_ACR: 'phr' }, { STEP_UP_MAX_AGE: '60', STEP_UP_CLIENTS: 'backup' }]) {
    t.match(sentences({ ...env, AUTH: 'none' }), [/^STEP_UP_ACR and STEP_UP_MAX_AGE must not be set with AUTH=none/])
  }
})

t.test('everything that is wrong is said at once', async t => {
  t.equal(sentences({ PORT: 'x', TRUST_PROXY: 'true', ISSUER: 'x', CORS_ORIGINS: '*', LOG_LEVEL: 'x', ENVIRONMENT: 'production' }).length, 6)
})

t.test('production demands ISSUER and AUDIENCE, and https', async t => {
  t.match(sentences({ ENVIRONMENT: 'production' }), [/^ISSUER must be set in production/, /^AUDIENCE must be set in production/])
  t.match(sentences({ ...production, ISSUER: 'http://login.example' }), [/^ISSUER must begin with https/])
  t.match(sentences({ ...production, ISSUER: 'http://localhost.example' }), [/^ISSUER must begin with https/])
})

t.test('AUTH=none leaves loopback only by a second setting', async t => {
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'example.com', '128.0.0.1']) {
    t.match(sentences({ AUTH: 'none', HOST }), [/^HOST must be 127\.0\.0\.1, ::1 or localhost with AUTH=none, or AUTH_NONE_ANYWHERE must be yes/], HOST)
  }
})
