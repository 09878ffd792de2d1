import type { Config } from '../../config.js'
import { fetchJson, type Answer } from '@frontdesk/service-kit/outgoing/fetch-json'
import { explain, short } from '@frontdesk/service-kit/doctor/explain'
import { isOutOfReach } from '@frontdesk/service-kit/outgoing/failure'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'

const { ok, warning, wrong } = findings('service-root')

/** Checks that the public URL reaches this service, with requests like those of clients. */
export async function * checkPlace ({ serviceRoot, prefix, auth }: Config): AsyncGenerator<Finding> {
  if (serviceRoot === '') {
    return yield ok('SERVICE_ROOT is not set: links begin with a slash, which works if the service is at the root of its host.')
  }
  const health = yield * get('The service', `${serviceRoot}/health/live`)
  if (health === undefined) return
  if (memberOf(health, 'status') !== 'ok') {
    return yield wrong(`Something else answers at ${serviceRoot}.`, 'Point the proxy to this service, or correct SERVICE_ROOT.')
  }
  if (auth === null) return yield ok(`The service answers at ${serviceRoot}.`)
  // RFC 9728 §3.1: the path of the resource comes last.
  const metadata = yield * get(
    'The description of the service for clients',
    `${new URL(serviceRoot).origin}/.well-known/oauth-protected-resource${prefix}`
  )
  if (metadata === undefined) return
  const resource = memberOf(metadata, 'resource')
  if (resource === auth.audience) yield ok(`The service answers at ${serviceRoot}, for tokens with the audience ${auth.audience}.`)
  else {
    yield wrong(
      `The service at ${serviceRoot} has the audience ${short(String(resource))}, but AUDIENCE is ${auth.audience}.`,
      'Set the same AUDIENCE for the service and for doctor, or point the proxy to this service.'
    )
  }
}

async function * get (what: string, url: string): AsyncGenerator<Finding, Answer | undefined> {
  try {
    return await fetchJson(url)
  } catch (error) {
    const [sentence, remedy] = explain({ what, url, setting: 'SERVICE_ROOT' }, error)
    if (isOutOfReach(error)) yield warning(sentence, `If the service runs and can be reached from other machines, ignore this. ${remedy}`)
    else yield wrong(sentence, `${remedy} The proxy must forward the path of SERVICE_ROOT to the service.`)
    return undefined
  }
}

function memberOf ({ json }: Answer, name: string): unknown {
  // as: the member is checked by the caller.
  return json instanceof Object ? (json as Record<string, unknown>)[name] : undefined
}
