import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.js'
import { aheadBy, compareClocks } from '@frontdesk/service-kit/doctor/clock'
import { short } from '@frontdesk/service-kit/doctor/explain'
import { fetchPublic } from '@frontdesk/service-kit/doctor/fetch-public'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { memberOf } from '@frontdesk/service-kit/doctor/member-of'
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
  const options = { check: 'issuer', noun: 'server', headers: { 'X-Request-Id': requestId } } as const
  const metadata = yield * fetchPublic({ what: 'The metadata', url: origin + METADATA_PATH + path, setting: 'ISSUER' }, options)
  if (metadata === undefined) return undefined
  const named = memberOf(metadata.json, 'issuer')
  if (named !== issuer) {
    yield wrong(`The issuer at the public address is ${short(String(named))}, but ISSUER is ${issuer}.`,
      'Set the same ISSUER for the server and for doctor, or point the proxy to this server.')
  } else yield ok(`${issuer} serves the metadata of this issuer.`)
  yield compareClocks('issuer-clock', issuer, aheadBy(metadata))

  const jwks = yield * fetchPublic({ what: 'The key set', url: `${issuer}/.well-known/jwks.json`, setting: 'ISSUER' }, options)
  const published = [memberOf(jwks?.json, 'keys')].flat().map(key => memberOf(key, 'kid'))
  const missing = kids?.filter(kid => !published.includes(kid)) ?? []
  if (jwks !== undefined && missing.length > 0) {
    yield wrong(`The key set at the public address lacks ${missing.length} of ${kids?.length} keys of this database.`,
      'Another server answers there, or one with another database. Compare DATABASE_URL. If a cache is in between, try again after five minutes.')
  } else if (jwks !== undefined && kids !== undefined) yield ok('The key set at the public address matches this database.')
  return { requestId: metadata.headers.get('x-request-id') === requestId ? requestId : undefined }
}
