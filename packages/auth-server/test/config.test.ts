import t from 'tap'
import { ConfigError } from '@frontdesk/service-kit/settings'
import { loadConfig } from '../src/config.js'

const SECRET_KEY = 'abcdefghijklmnopqrstuvwxyz0123456789'
const production = { ENVIRONMENT: 'production', SECRET_KEY, ISSUER: 'https://id.example', DEFAULT_AUDIENCE: 'https://api.example' }

t.test('nothing need be set for development, and it listens on loopback', async t => {
  const config = loadConfig({})
  t.match(config, {
    host: '127.0.0.1',
    port: 3000,
    issuer: 'http://localhost:3000',
    defaultAudience: 'http://localhost:3001',
    signingAlg: 'ES256',
    accessTokenTtl: 600,
    trustProxy: false,
    production: false
  })
  t.match(config.databaseUrl, /^file:\/.*\/data\/auth\.db$/, 'absolute')
  t.ok(Object.isFrozen(config))
  t.equal(loadConfig({ DATABASE_URL: 'file:./x.db', INIT_CWD: '/srv' }).databaseUrl, 'file:/srv/x.db')
  t.equal(loadConfig({ DATA_DIR: 'x', INIT_CWD: '/srv' }).databaseUrl, 'file:/srv/x/auth.db')
  t.equal(loadConfig({ DATA_DIR: '/x', DATABASE_URL: 'file:/y.db' }).databaseUrl, 'file:/y.db')
  t.same(config.database, {
    poolSize: 10,
    connectTimeout: 1000,
    statementTimeout: 1500,
    createsFolder: true,
    tls: false,
    tlsCa: undefined,
    preparedStatements: 'auto'
  })
  t.equal(loadConfig({ PORT: '' }).port, 3000, 'empty is not set')
})

t.test('each invalid setting is reported in a sentence that names it', async t => {
  const rows: Array<[env: Record<string, string>, sentence: RegExp]> = [
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535\.$/],
    [{ PORT: '70000' }, /^PORT must be a whole number/],
    [{ PORT: '1e3' }, /^PORT must be a whole number/],
    [{ PORT: ' ' }, /^PORT must be a whole number/],
    [{ METRICS_PORT: ' ' }, /^METRICS_PORT must be a whole number from 0 to 65535\.$/],
    [{ HOST: 'a b' }, /^HOST must be an address or a host name\.$/],
    [{ ACCESS_TOKEN_TTL: '6e2' }, /^ACCESS_TOKEN_TTL must be a whole number of seconds from 30/],
    [{ PASSWORD_MIN: '7' }, /^PASSWORD_MIN must be a whole number of characters from 8 to 128\.$/],
    [{ ACCESS_TOKEN_TTL: '0' }, /^ACCESS_TOKEN_TTL must be a whole number of seconds from 30/],
    [{ KEY_ROTATION: '0' }, /^KEY_ROTATION must be a number of days from 1 to 9999, or off\.$/],
    [{ KEY_ROTATION: 'never' }, /^KEY_ROTATION must be /],
    [{ SIGNING_ALG: 'HS256' }, /^SIGNING_ALG must be ES256, RS256, EdDSA or Ed25519\.$/],
    [{ ENVIRONMENT: 'staging' }, /^ENVIRONMENT must be development or production/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be fatal or /],
    [{ MCP_RESOURCES: '/mcp' }, /^MCP_RESOURCES must be a comma-separated list of absolute addresses without fragments\.$/],
    [{ DEFAULT_AUDIENCE: 'https://api.example', MCP_RESOURCES: 'https://mcp.example, https://api.example/' }, /^MCP_RESOURCES must name neither ISSUER nor DEFAULT_AUDIENCE/],
    [{ ISSUER: 'https://id.example', MCP_RESOURCES: 'https://id.example' }, /^MCP_RESOURCES must name neither/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL .*postgresql/],
    [{ DATABASE_POOL_SIZE: '0' }, /^DATABASE_POOL_SIZE must be a whole number from 1 to 100\.$/],
    [{ DATABASE_CONNECT_TIMEOUT: '5000' }, /^DATABASE_CONNECT_TIMEOUT must be a whole number of milliseconds from 100 to 1000\.$/],
    [{ DATABASE_STATEMENT_TIMEOUT: '0' }, /^DATABASE_STATEMENT_TIMEOUT must be a whole number of milliseconds from 100 to 1500\.$/],
    [{ DATABASE_TLS: 'require' }, /^DATABASE_TLS must be off or on\.$/],
    [{ DATABASE_PREPARED_STATEMENTS: 'true' }, /^DATABASE_PREPARED_STATEMENTS must be auto or on or off\.$/],
    [{ DATABASE_TLS: 'on' }, /^DATABASE_TLS must be off with a file/],
    [{ DATABASE_TLS_CA: '/ca.pem' }, /^DATABASE_TLS_CA is for DATABASE_TLS=on/],
    [
      { DATABASE_URL: 'postgresql://u:p@a:5432,b:5432/auth' },
      /^DATABASE_URL must name one server, without target_session_attrs\. For several servers, use HAProxy or PgBouncer/
    ],
    [{ DATABASE_URL: 'postgresql://db/auth?target_session_attrs=read-write' }, /^DATABASE_URL must name one server/],
    [
      { DATABASE_URL: 'file:./auth.db?connection_limit=1' },
      /^DATABASE_URL must be file: and a path, without parameters\. Remove \?connection_limit=1\. If the file name/
    ],
    [{ DATABASE_URL: 'postgresql://db/auth?sslmode=require' }, /^DATABASE_URL must not have TLS parameters/],
    [{ TRUST_PROXY: 'true' }, /^TRUST_PROXY must be false, or .*true would trust every caller/],
    [{ TRUST_PROXY: '1' }, /^TRUST_PROXY /],
    [{ TRUST_PROXY: '10.0.0.0/99' }, /^TRUST_PROXY must be false, or /],
    [{ TRUST_PROXY: '10.0.0.0/8, 300.1.1.1' }, /^TRUST_PROXY must be false, or /],
    [{ TRUST_PROXY: ' ' }, /^TRUST_PROXY must be false, or /],
    [{ ALLOW_PRIVATE_NETWORKS: 'on' }, /^ALLOW_PRIVATE_NETWORKS must be true or false\.$/],
    [{ ISSUER: 'https://id.example/' }, /^ISSUER must be/],
    [{ ISSUER: 'https://id.example/:t' }, /^ISSUER must be/],
    [{ ISSUER: 'https://u:p@id.example' }, /^ISSUER must be/],
    [{ ISSUER: 'id.example' }, /^ISSUER must be/],
    [{ ISSUER: 'https://id.example?x=1' }, /^ISSUER must be/],
    [{ SMTP_URL: 'smtp://mail.example' }, /^MAIL_FROM is missing\. Set it to the address/],
    ...['mail.example', 'http://mail.example', 'smtp://', 'smtp://u@mail.example', 'smtp://u:p%@mail.example', 'smtp://mail.example?pool=true', 'smtp://mail.example/x']
      .map((url): [Record<string, string>, RegExp] => [{ SMTP_URL: url, MAIL_FROM: 'a@b.example' }, /^SMTP_URL must be smtp:\/\/ or smtps:/]),
    ...['a', 'a@', 'A <a@b', 'a@b, c@d', 'A <a@b>, <c@d>', 'A\n<a@b>', '"A" <a@b>', '<a@b> c']
      .map((from): [Record<string, string>, RegExp] => [{ MAIL_FROM: from }, /^MAIL_FROM must be an address/]),
    [{ SMTP_URL: 'smtp://u:p@mail.example', SMTP_TLS: 'off', MAIL_FROM: 'a@b' }, /^SMTP_TLS=off would send the password in SMTP_URL unencrypted/],
    ...[' ', 'x ', 'x'.repeat(61), 'a\nb', '\u202eabc']
      .map((name): [Record<string, string>, RegExp] => [{ BRAND_NAME: name }, /^BRAND_NAME must be a name of at most 60 characters/]),
    ...['green', '#fff', '#12345g', '#0b6e4f00', '0b6e4f']
      .map((color): [Record<string, string>, RegExp] => [{ BRAND_COLOR: color }, /^BRAND_COLOR must be a color such as #0b6e4f\.$/]),
    ...['terms', 'javascript:alert(1)', 'mailto:a@b.example', 'https://u:p@x.example', 'https://x.example/a b']
      .map((url): [Record<string, string>, RegExp] => [{ TERMS_URL: url }, /^TERMS_URL must be an http or https address\.$/]),
    [{ PRIVACY_URL: '//x.example' }, /^PRIVACY_URL must be/],
    [{ SUPPORT_URL: 'tel:1' }, /^SUPPORT_URL must be an http, https or mailto address\.$/],
    [{ SMTP_TLS: 'no' }, /^SMTP_TLS must be on or off/],
    [{ SIGN_UP: 'yes' }, /^SIGN_UP must be off or code or open/],
    [{ SIGN_UP: 'open', ISSUER: 'https://id.example' }, /^SIGN_UP=open sends email\. Set SMTP_URL to a mail server, or remove SIGN_UP\.$/],
    [{ SIGN_UP: 'code', HOST: '0.0.0.0' }, /^SIGN_UP=code sends email/],
    [{ TERMS_VERSION: '1' }, /^TERMS_URL is missing/],
    [{ TERMS_VERSION: 'a b', TERMS_URL: 'https://x.example' }, /^TERMS_VERSION must be at most 50 letters/],
    [{ RP_ID: 'Example.com' }, /^RP_ID must be the host of ISSUER or a parent domain, such as example\.com\.$/],
    ...['ample', 'example.com', 'www.id.example'].map((id): [Record<string, string>, RegExp] =>
      [{ RP_ID: id, ISSUER: 'https://id.example' }, /^RP_ID must be the host of ISSUER or a parent domain, or RELATED_ORIGINS/]),
    [{ RP_ID: 'old.example', ISSUER: 'https://id.example', RELATED_ORIGINS: 'https://id.example:8443' }, /^RP_ID must be the host/],
    ...['example.de', 'http://example.de', 'https://example.de/', 'https://EXAMPLE.de', 'https://example.de:443', 'https://u@example.de', '*']
      .map((list): [Record<string, string>, RegExp] => [{ RELATED_ORIGINS: list }, /^RELATED_ORIGINS must be a comma-separated list of/]),
    [{ ADMIN_ACR: 'mfa' }, /^ADMIN_ACR must be urn:frontdesk:acr:password or urn:frontdesk:acr:mfa or phr\.$/],
    [{ SECRET_KEY: 'short' }, /^SECRET_KEY is weak/],
    [{ SECRET_KEY: 'a'.repeat(64) }, /^SECRET_KEY is weak/]
  ]
  for (const [env, sentence] of rows) t.throws(() => loadConfig(env), { message: sentence }, JSON.stringify(env))
  try {
    loadConfig({ PORT: 'x', LOG_LEVEL: 'y', SECRET_KEY: 'my-weak-secret' })
  } catch (error) {
    t.ok(error instanceof ConfigError)
    t.match((error as Error).message.split('\n').length, 3, 'all at once')
    t.notMatch((error as Error).message, 'my-weak-secret')
  }
})

t.test('passkeys belong to the issuer\'s host, a parent domain, or a domain whose related origins name the issuer', async t => {
  const read = (env: Record<string, string>) => {
    const { rpId, relatedOrigins } = loadConfig({ ISSUER: 'https://id.example.com:8443/x', ...env })
    return { rpId, relatedOrigins }
  }
  t.same(read({}), { rpId: 'id.example.com', relatedOrigins: [] })
  t.same(read({ RP_ID: 'example.com', RELATED_ORIGINS: 'https://example.de, https://example.fr:8443' }), {
    rpId: 'example.com', relatedOrigins: ['https://example.de', 'https://example.fr:8443']
  })
  t.match(read({ RP_ID: 'old.example', RELATED_ORIGINS: 'https://id.example.com:8443' }), { rpId: 'old.example' })
})

t.test('mails go to a server, with TLS unless it is turned off; in development, to a page', async t => {
  const from = { name: '', address: 'a@b.example' }
  const read = (env: Record<string, string>) => loadConfig({ MAIL_FROM: 'a@b.example', ...env }).mail
  const tls = { secure: false, requireTLS: true, ignoreTLS: false }
  t.same(read({ SMTP_URL: 'smtp://u%40x:p%2Fw@mail.example' }), {
    server: { host: 'mail.example', port: 587, ...tls, auth: { user: 'u@x', pass: 'p/w' } }, from
  })
  t.same(read({ SMTP_URL: 'smtps://[::1]/' }), { server: { host: '::1', port: 465, ...tls, secure: true, requireTLS: false }, from })
  t.same(read({ SMTP_URL: 'smtp://relay:25', SMTP_TLS: 'off', MAIL_FROM: 'The desk <a@b.example>' }), {
    server: { host: 'relay', port: 25, secure: false, requireTLS: false, ignoreTLS: true }, from: { name: 'The desk', address: 'a@b.example' }
  })
  t.equal(read({}), 'shown')
  for (const env of [production, { ISSUER: 'https://id.example' }, { HOST: '0.0.0.0' }]) t.equal(read(env), undefined)
})

t.test('production refuses what is only fit for development', async t => {
  t.ok(loadConfig(production).production)
  t.ok(loadConfig({ ...production, ISSUER: 'http://127.0.0.1:3000' }), 'plain http on loopback')
  t.throws(() => loadConfig({ ENVIRONMENT: 'production' }), {
    message: /ISSUER is missing.*\nDEFAULT_AUDIENCE is missing.*\nSECRET_KEY is missing/
  })
  const rows: Array<[env: Record<string, string>, sentence: RegExp]> = [
    [{ SECRET_KEY: '' }, /SECRET_KEY is missing. Set it to/],
    [{ SECRET_KEY: 'for-development-only-not-a-secret' }, /SECRET_KEY is the one for development/],
    [{ ISSUER: 'http://id.example' }, /ISSUER must be https/],
    [{ ISSUER: '' }, /ISSUER is missing/],
    [{ SECRET_KEY_PREVIOUS: 'for-development-only-not-a-secret' }, /^SECRET_KEY_PREVIOUS is the one for development/],
    [{ DEMO_CALLBACK: 'http://localhost:3002/callback' }, /DEMO_CALLBACK is for development/],
    [{ DEMO_DOCS_CALLBACK: 'http://localhost:3001/docs' }, /DEMO_DOCS_CALLBACK is for development/]
  ]
  for (const [env, sentence] of rows) t.throws(() => loadConfig({ ...production, ...env }), { message: sentence }, JSON.stringify(env))
})

t.test('apps in private networks are called in development on loopback, and elsewhere if allowed', async t => {
  const rows: Array<[env: Record<string, string>, allowed: boolean]> = [
    [{}, true],
    [{ ISSUER: 'https://id.example' }, false],
    [{ ...production, ISSUER: 'http://127.0.0.1:3000' }, false],
    [{ ...production, ALLOW_PRIVATE_NETWORKS: 'true' }, true],
    [{ ALLOW_PRIVATE_NETWORKS: 'false' }, false]
  ]
  for (const [env, allowed] of rows) t.equal(loadConfig(env).allowPrivateNetworks, allowed, JSON.stringify(env))
})

t.test('registrations of an address are limited by a setting, which is off in development on loopback', t => {
  const rows: Array<[Record<string, string>, number]> = [
    [{}, 0],
    [{ ISSUER: 'https://id.example' }, 20],
    [{ ...production, ISSUER: 'https://id.example' }, 20],
    [{ ...production, ISSUER: 'http://localhost:3000' }, 20],
    [{ REGISTRATION_LIMIT: '7' }, 7],
    [{ ISSUER: 'https://id.example', REGISTRATION_LIMIT: '0' }, 0]
  ]
  for (const [env, limit] of rows) t.equal(loadConfig(env).registrationLimit, limit, JSON.stringify(env))
  t.throws(() => loadConfig({ REGISTRATION_LIMIT: '-1' }), /REGISTRATION_LIMIT/)
  t.end()
})
