import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { authorizationLoads } from './authorization-loads.js'
import { CALLBACK, CLIENT, PASSWORD, SCOPE, USERNAME } from './registrations.js'
import { databaseUrl, inClone } from './place.js'

const SECRET_KEY = randomBytes(32).toString('base64')

/**
 * auth-server as a target, settings of production, with an app and a person.
 * @param {'sqlite' | 'postgresql'} database
 * @returns {import('../target.js').Target}
 */
export function authServer (database) {
  return {
    group: 'frontdesk',
    database,
    prepare: async context => {
      command(context, ['client', 'add', CLIENT, '--name', 'Shop', '--callback', CALLBACK, '--default-scope', SCOPE, '--grant', 'implicit'])
      command(context, ['user', 'add', USERNAME], `${PASSWORD}\n`)
    },
    start: context => ({
      args: ['--min-semi-space-size=8', inClone('packages/auth-server/dist/src/server.js')],
      env: authSettings(context),
      probe: '/health/ready'
    }),
    workloads: authorizationLoads
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

/** Runs `frontdesk-auth`. */
function command (context, args, input) {
  const env = { PATH: process.env.PATH, ...authSettings(context) }
  execFileSync(process.execPath, [inClone('packages/auth-server/bin/frontdesk-auth.js'), ...args], { env, input, stdio: ['pipe', 'ignore', 'pipe'] })
}
