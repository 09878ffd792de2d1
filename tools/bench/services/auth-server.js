import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { authorizationLoads } from './authorization-loads.js'
import { CALLBACK, CLIENT, DEVICE_CLIENTS, PASSWORD, SCOPE, TOKEN_CLIENT, USERNAME } from './registrations.js'
import { databaseUrl, inClone } from './place.js'
import { DEVICE_CODE, tokenLoads } from './token-loads.js'

const SECRET_KEY = randomBytes(32).toString('base64')

/**
 * auth-server as a target, settings of production, with two apps and a person.
 * @param {'sqlite' | 'postgresql'} database
 * @returns {import('../target.js').Target}
 */
export function authServer (database) {
  return {
    group: 'frontdesk',
    database,
    prepare: async context => {
      const add = (id, name, grants, ...options) =>
        command(context, [
          'client',
          'add',
          id,
          '--name',
          name,
          '--callback',
          CALLBACK,
          '--default-scope',
          SCOPE,
          ...grants.flatMap(it => ['--grant', it]),
          ...options
        ])
      add(CLIENT, 'Shop', ['implicit'])
      const added = add(TOKEN_CLIENT, 'Service', ['authorization_code', 'refresh_token', 'client_credentials'], '--confidential')
      const devices = DEVICE_CLIENTS.map(clientId => ({ clientId, name: 'Television', grantTypes: [DEVICE_CODE], defaultScope: SCOPE }))
      command(context, ['apply', '--file', '-'], JSON.stringify({ clients: devices }))
      // 256 random bits, base64url.
      context.memory.set('secret', /[\w-]{43}/.exec(added)[0])
      command(context, ['user', 'add', USERNAME], `${PASSWORD}\n`)
    },
    start: context => ({
      args: ['--min-semi-space-size=8', inClone('packages/auth-server/dist/bundle/server.js')],
      env: authSettings(context),
      probe: '/health/ready'
    }),
    workloads: { ...authorizationLoads, ...tokenLoads }
  }
}

/** What auth-server is set to. */
export function authSettings (context) {
  return {
    ENVIRONMENT: 'production',
    PORT: String(context.port),
    DATABASE_URL: databaseUrl(context),
    ISSUER: 'https://auth.example',
    SECRET_KEY,
    // Attempts to sign in wait for others of the same address: they come from different ones, as behind a proxy.
    TRUST_PROXY: 'loopback',
    DEFAULT_AUDIENCE: context.issuer.audience
  }
}

/** Runs `frontdesk-auth` and returns its output. */
export function command (context, args, input) {
  const env = { PATH: process.env.PATH, ...authSettings(context) }
  const program = inClone('packages/auth-server/bin/frontdesk-auth.js')
  return execFileSync(process.execPath, [program, ...args], { env, input, stdio: ['pipe', 'pipe', 'pipe'], encoding: 'utf8' })
}
