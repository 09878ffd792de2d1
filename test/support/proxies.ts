import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { Test } from 'tap'
import { blockOf, startSite } from './how-to-page.js'
import { read } from './sources.js'
import { freePort } from './stack.js'

/** What is behind a proxy. */
export interface Upstreams {
  auth: string
  customers: string
  /** What its tokens are for. */
  audience: string
  /** Credentials of a client that may introspect, as in `Authorization: Basic`. */
  introspection: string
}

/** Where a proxy is. */
export interface Addresses { customers: string, auth?: string }

/** A reverse proxy that we ship or document. */
export interface ProxyCase {
  /** Where its configuration is written down. */
  name: string
  /** What to install, else `false`. */
  skip: string | false
  /** Starts it with its configuration, every timeout that is shorter than an hour shortened to {@link SHORT_S}, and compression. */
  start: (t: Test, upstreams: Upstreams) => Promise<Addresses>
}

/** What a timeout of a proxy is shortened to, in seconds. */
export const SHORT_S = 2

const NGINX_PAGE = 'docs/how-to/behind-nginx-or-traefik.md'
const API_PAGE = 'docs/how-to/protect-an-api-with-nginx.md'
const APACHE_PAGE = 'docs/how-to/protect-your-own-api.md'
const CADDY_PAGE = 'docs/how-to/run-in-production.md'

/** Where Debian has the modules of Apache and nginx. */
const APACHE_MODULES = '/usr/lib/apache2/modules'
const NJS = '/usr/lib/nginx/modules/ngx_http_js_module.so'
const env = { PATH: `${process.env.PATH}:/usr/sbin` }

export const proxies: ProxyCase[] = [
  { name: 'deploy/caddy/Caddyfile', skip: skipWithout('caddy'), start: startShippedCaddy },
  { name: `Caddy in ${CADDY_PAGE}`, skip: skipWithout('caddy'), start: startDocumentedCaddy },
  { name: `nginx in ${NGINX_PAGE}`, skip: skipWithout('nginx'), start: startNginx },
  { name: `nginx in ${API_PAGE}`, skip: skipWithout('nginx', NJS, 'libnginx-mod-http-js'), start: startCheckingNginx },
  { name: `Apache in ${APACHE_PAGE}`, skip: skipWithout('apache2', `${APACHE_MODULES}/mod_auth_openidc.so`, 'libapache2-mod-auth-openidc'), start: startApache }
]

function skipWithout (program: string, module?: string, ...packages: string[]): string | false {
  const isThere = env.PATH.split(':').some(folder => existsSync(join(folder, program))) && (module === undefined || existsSync(module))
  return isThere ? false : `${[program, ...packages].join(' with ')} was not found. Install it (Debian: apt-get install ${[program, ...packages].join(' ')}).`
}

async function startShippedCaddy (t: Test, { auth, customers }: Upstreams): Promise<Addresses> {
  const [authPort, customersPort, appPort] = [await freePort(), await freePort(), await freePort()]
  const text = read('deploy/caddy/Caddyfile')
    .replace('auth-server 3000', `127.0.0.1 ${new URL(auth).port}`)
    .replace('customer-service 3001', `127.0.0.1 ${new URL(customers).port}`)
    .replace(/^\t\t\tread_\w+ \d+s$/gm, line => line.replace(/\d+s/, `${SHORT_S}s`))
    .replaceAll('import kept', 'encode gzip\n\timport kept')
  const address = (port: number) => `http://127.0.0.1:${port}`
  await startCaddy(t, text, address(customersPort), {
    AUTH_SITE: address(authPort), CUSTOMER_SITE: address(customersPort), DESK_SITE: address(appPort)
  })
  return { auth: address(authPort), customers: address(customersPort) }
}

async function startDocumentedCaddy (t: Test, { auth, customers }: Upstreams): Promise<Addresses> {
  const [authPort, customersPort] = [await freePort(), await freePort()]
  const address = (port: number) => `http://127.0.0.1:${port}`
  const text = `{\n\tadmin off\n}\n${blockOf(CADDY_PAGE, 'caddy')}`
    .replace('login.example {', `${address(authPort)} {\n\tencode gzip`)
    .replace('customers.example {', `${address(customersPort)} {\n\tencode gzip`)
    .replace('127.0.0.1:3000', new URL(auth).host).replace('127.0.0.1:3001', new URL(customers).host)
  await startCaddy(t, text, address(customersPort), {})
  return { auth: address(authPort), customers: address(customersPort) }
}

async function startCaddy (t: Test, text: string, origin: string, sites: Record<string, string>) {
  const folder = await makeFolder(t)
  await writeFile(join(folder, 'Caddyfile'), text)
  await startSite(t, origin, ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    ...env, ...sites, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder
  })
}

/** Defaults of nginx that a file in conf.d may set, too. */
const NGINX_TIMEOUTS = ['client_header_timeout', 'client_body_timeout', 'send_timeout', 'proxy_read_timeout', 'proxy_send_timeout']

async function startNginx (t: Test, { auth, customers }: Upstreams): Promise<Addresses> {
  const folder = await makeFolder(t)
  const ports = { 'login.example': await freePort(), 'customers.example': await freePort() }
  const text = blockOf(NGINX_PAGE, 'nginx')
    .replace('127.0.0.1:3000', new URL(auth).host).replace('127.0.0.1:3001', new URL(customers).host)
    .replace(/listen 443 ssl;(\s+server_name (.*);)/g, (line, rest: string, name: keyof typeof ports) => `listen 127.0.0.1:${ports[name]};${rest}`)
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replaceAll('/var/log/nginx/', `${folder}/`)
  const address = (port: number) => `http://127.0.0.1:${port}`
  const addresses = { auth: address(ports['login.example']), customers: address(ports['customers.example']) }
  await runNginx(t, folder, text, addresses.customers)
  return addresses
}

async function startCheckingNginx (t: Test, { auth, customers, audience, introspection }: Upstreams): Promise<Addresses> {
  const folder = await makeFolder(t)
  const origin = `http://127.0.0.1:${await freePort()}`
  await writeFile(join(folder, 'introspect.js'), blockOf(API_PAGE, 'js').replace('https://api.example', audience))
  const text = blockOf(API_PAGE, 'nginx')
    .replace('/etc/nginx/njs', folder).replace('listen 443 ssl', `listen ${new URL(origin).host}`)
    .replace('http://127.0.0.1:8080', customers).replace('https://login.example', auth).replace('<what base64 printed>', introspection)
  await runNginx(t, folder, text, origin)
  return { customers: origin }
}

async function runNginx (t: Test, folder: string, text: string, origin: string) {
  // TLS is left out.
  text = text.replaceAll(/^ *ssl_.*$/gm, '')
  const unset = NGINX_TIMEOUTS.filter(name => !new RegExp(`^${name} `, 'm').test(text))
  await writeFile(join(folder, 'nginx.conf'), `
    ${text.includes('js_import') ? `load_module ${NJS};` : ''}
    daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;
    events {}
    http {
      ${unset.map(name => `${name} ${SHORT_S}s;`).join(' ')}
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
      gzip on; gzip_types *; gzip_proxied any; gzip_min_length 0;
      ${text}
    }`)
  await startSite(t, origin, ['nginx', '-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], env)
}

async function startApache (t: Test, { auth, customers, audience }: Upstreams): Promise<Addresses> {
  const folder = await makeFolder(t)
  const origin = `http://127.0.0.1:${await freePort()}`
  const text = blockOf(APACHE_PAGE, 'apache')
    .replace('*:443', new URL(origin).host).replaceAll(/^ *SSL.*$/gm, '').replace('http://127.0.0.1:8080', customers)
    .replace('https://login.example/.well-known', await startKeys(t, auth))
    .replaceAll('https://login.example', auth).replace('https://api.example', audience)
  const names = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'filter', 'deflate', 'reqtimeout', 'proxy', 'proxy_http', 'auth_openidc']
  const lines = [
    ...names.map(name => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`),
    `ServerRoot ${folder}`, 'PidFile apache.pid', 'DefaultRuntimeDir .', `Mutex file:${folder}`, 'ErrorLog error.log', 'ServerName localhost',
    // It does not serve as root.
    ...process.getuid?.() === 0 ? ['User "#65534"', 'Group "#65534"'] : [],
    `Listen ${new URL(origin).host}`, `Timeout ${SHORT_S}`, `RequestReadTimeout header=${SHORT_S} body=${SHORT_S},MinRate=500`,
    'LimitRequestBody 1048576', 'SetOutputFilter DEFLATE', 'OIDCOAuthSSLValidateServer Off', text
  ]
  await writeFile(join(folder, 'apache.conf'), lines.join('\n'))
  await startSite(t, origin, ['apache2', '-X', '-f', join(folder, 'apache.conf')], env)
  return { customers: origin }
}

/** Serves the keys of auth-server over TLS, which the module of Apache demands. Gives the address of their folder. */
async function startKeys (t: Test, issuer: string): Promise<string> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec', algorithm: 'sha256' })
  const keys = await fetch(`${issuer}/.well-known/jwks.json`).then(async response => await response.text())
  const server = https.createServer({ key, cert }, (request, response) => { response.end(keys) }).listen(0)
  await once(server, 'listening')
  t.teardown(() => server.close())
  // as: it listens on a port.
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

async function makeFolder (t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-proxy-'))
  await chmod(folder, 0o755)
  t.teardown(() => rm(folder, { recursive: true }))
  return folder
}
