import { bearer, each } from '../../../loads.js'
import { customerPeer } from '../../peers/customers/peer.js'
import { gunicorn } from './gunicorn.js'

/**
 * Django 3.2 with an API of customers on gunicorn, that verifies a JWT on each request. SQLite as it is in a new file: a rollback
 * journal, and therefore `synchronous=FULL`.
 * @param {'sqlite' | 'postgresql'} database
 */
export function djangoCustomers (database) {
  const peer = customerPeer('', database)
  return {
    ...peer,
    packages: ['python3-django', 'python3-jwt', 'python3-cryptography', 'python3-psycopg2', 'gunicorn'],
    start: context => gunicorn('customers', context, {
      KEY_FILE: context.issuer.keyFile, ISSUER: context.issuer.url, AUDIENCE: context.issuer.audience
    }),
    workloads: {
      ...peer.workloads,
      list: async context => ({
        requests: each(() => ({ path: '/customers', headers: bearer(context) })),
        expect: (status, head, body) => status === 200 && body.includes('"Customer 50"')
      })
    }
  }
}
