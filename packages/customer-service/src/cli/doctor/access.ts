import type { Config } from '../../config.js'
import { isLoopback } from '@frontdesk/service-kit/address'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'

/** Checks who can call the service: whether it needs tokens, and the CORS origins. */
export function * checkAccess ({ auth, host, production, corsOrigins }: Config): Generator<Finding> {
  const access = findings('access')
  if (auth !== null) {
    yield access.ok('Every request for customers needs an access token.')
  } else {
    const sentence = `AUTH=none: ANYONE WHO REACHES ${host} CAN READ, CHANGE AND REMOVE EVERY CUSTOMER.`
    const report = access[production && !isLoopback(host) ? 'wrong' : 'warning']
    yield report(sentence, 'Set AUTH=required, or remove it, and set ISSUER and AUDIENCE.')
  }

  const cors = findings('cors')
  if (corsOrigins.length === 0) return yield cors.ok('CORS_ORIGINS is empty: pages in browsers cannot call the API; programs can.')
  yield cors.ok(`Pages of ${corsOrigins.join(', ')} can call the API (CORS_ORIGINS).`)
  const plain = corsOrigins.filter(origin => origin.startsWith('http:'))
  if (production && plain.length > 0) {
    yield cors.warning(`CORS_ORIGINS has origins without TLS. Others on the network can read their tokens: ${plain.join(', ')}.`,
      'Remove them, or use https.')
  }
}
