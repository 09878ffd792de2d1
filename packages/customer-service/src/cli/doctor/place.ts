import type { Config } from '../../config.js'
import { short } from '@frontdesk/service-kit/doctor/explain'
import { fetchPublic } from '@frontdesk/service-kit/doctor/fetch-public'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { memberOf } from '@frontdesk/service-kit/doctor/member-of'

const { ok, wrong } = findings('service-root')
const OPTIONS = {
  check: 'service-root', noun: 'service', hint: 'The proxy must forward the path of SERVICE_ROOT to the service.'
} as const

/** Checks that the public URL reaches this service, with requests like those of clients. */
export async function * checkPlace ({ serviceRoot, prefix, auth }: Config): AsyncGenerator<Finding> {
  if (serviceRoot === '') {
    return yield ok('SERVICE_ROOT is not set: links begin with a slash, which works if the service is at the root of its host.')
  }
  const health = yield * fetchPublic({ what: 'The service', url: `${serviceRoot}/health/live`, setting: 'SERVICE_ROOT' }, OPTIONS)
  if (health === undefined) return
  if (memberOf(health.json, 'status') !== 'ok') {
    return yield wrong(`Something else answers at ${serviceRoot}.`, 'Point the proxy to this service, or correct SERVICE_ROOT.')
  }
  if (auth === null) return yield ok(`The service answers at ${serviceRoot}.`)
  // RFC 9728 §3.1: the path of the resource comes last.
  const metadata = yield * fetchPublic({
    what: 'The description of the service for clients',
    url: `${new URL(serviceRoot).origin}/.well-known/oauth-protected-resource${prefix}`,
    setting: 'SERVICE_ROOT'
  }, OPTIONS)
  if (metadata === undefined) return
  const resource = memberOf(metadata.json, 'resource')
  if (resource === auth.audience) yield ok(`The service answers at ${serviceRoot}, for tokens with the audience ${auth.audience}.`)
  else {
    yield wrong(`The service at ${serviceRoot} has the audience ${short(String(resource))}, but AUDIENCE is ${auth.audience}.`,
      'Set the same AUDIENCE for the service and for doctor, or point the proxy to this service.')
  }
}
