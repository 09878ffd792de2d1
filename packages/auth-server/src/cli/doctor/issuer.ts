import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.js'
import { fetchJson, type Answer } from '@frontdesk/service-kit/outgoing/fetch-json'
import { aheadBy, compareClocks } from '@frontdesk/service-kit/doctor/clock'
import { explain, short } from '@frontdesk/service-kit/doctor/explain'
import { isOutOfReach } from '@frontdesk/service-kit/outgoing/failure'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { METADATA_PATH } from '../../oauth/well-known.js'

/** The server was reached at its public address. */
export interface Reached {
  /** The request id in the server's log; `undefined` if a cache answered. */
  readonly requestId: string | undefined
}

/** Checks that the public address serves the metadata of this issuer and the keys of this database. */
export async function * checkIssuer (
  { issuer }: Pick<Config, 'issuer'>,
  kids: readonly string[] | undefined
): AsyncGenerator<Finding, Reached | undefined> {
  const { ok, wrong } = findings('issuer')
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const requestId = `doctor-${randomUUID()}`
  const metadata = yield * get({ what: 'The metadata', url: origin + METADATA_PATH + path }, requestId)
  if (metadata === undefined) return undefined
  const named = memberOf(metadata.json, 'issuer')
  if (named !== issuer) {
    yield wrong(
      `The issuer at the public address is ${short(String(named))}, but ISSUER is ${issuer}.`,
      'Set the same ISSUER for the server and for doctor, or point the proxy to this server.'
    )
  } else {
    yield ok(`${issuer} serves the metadata of this issuer.`)
  }
  yield compareClocks('issuer-clock', issuer, aheadBy(metadata))

  const jwks = yield * get({ what: 'The key set', url: `${issuer}/.well-known/jwks.json` }, requestId)
  const published = [memberOf(jwks?.json, 'keys')].flat().map(key => memberOf(key, 'kid'))
  const missing = kids?.filter(kid => !published.includes(kid)) ?? []
  if (jwks !== undefined && missing.length > 0) {
    yield wrong(
      `The key set at the public address lacks ${missing.length} of ${kids?.length} keys of this database.`,
      'Another server answers there, or one with another database. Compare DATABASE_URL. If a cache is in between, try again after five minutes.'
    )
  } else if (jwks !== undefined && kids !== undefined) {
    yield ok('The key set at the public address matches this database.')
  }
  return { requestId: metadata.headers.get('x-request-id') === requestId ? requestId : undefined }
}

async function * get (asked: { what: string, url: string }, requestId: string): AsyncGenerator<Finding, Answer | undefined> {
  const { warning, wrong } = findings('issuer')
  try {
    return await fetchJson(asked.url, { headers: { 'X-Request-Id': requestId } })
  } catch (error) {
    const [sentence, remedy] = explain({ ...asked, setting: 'ISSUER' }, error)
    if (isOutOfReach(error)) yield warning(sentence, `If the server runs and can be reached from other machines, ignore this. ${remedy}`)
    else yield wrong(sentence, remedy)
    return undefined
  }
}

/** A member of JSON from another server, if it is an object. */
function memberOf (value: unknown, name: string): unknown {
  return value instanceof Object ? (value as Record<string, unknown>)[name] : undefined
}
