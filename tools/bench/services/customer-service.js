import { customerLoads } from './customer-loads.js'
import { loadCustomers } from './customers.js'
import { databaseUrl, inClone } from './place.js'

/**
 * customer-service as a target, with production settings.
 * @param {'sqlite' | 'postgresql'} database
 * @returns {import('../target.js').Target}
 */
export function customerService (database) {
  return {
    group: 'frontdesk',
    database,
    prepare: loadCustomers,
    start: context => ({
      args: ['--min-semi-space-size=8', '--no-concurrent-marking', inClone('packages/customer-service/dist/bundle/server.js')],
      env: customerSettings(context),
      probe: '/health/ready'
    }),
    workloads: customerLoads
  }
}

/** Settings of customer-service. */
export function customerSettings (context) {
  const { port, issuer } = context
  return {
    ENVIRONMENT: 'production',
    PORT: String(port),
    DATABASE_URL: databaseUrl(context),
    ISSUER: issuer.url,
    JWKS_URL: issuer.jwksUrl,
    REVOCATIONS_URL: 'none',
    AUDIENCE: issuer.audience
  }
}
