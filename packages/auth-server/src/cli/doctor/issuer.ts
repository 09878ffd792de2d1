import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.js'
import { ask, type Answer } from '@frontdesk/service-kit/doctor/ask'
import { aheadBy, compareClocks } from '@frontdesk/service-kit/doctor/clock'
import { explain, short } from '@frontdesk/service-kit/doctor/explain'
import { isOutOfReach } from '@frontdesk/service-kit/doctor/failure'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { METADATA_PATH } from '../../oauth/well-known.js'

/** How far clocks may differ, in seconds: what services that take the tokens usually allow. */
export const CLOCK_LEEWAY = 60

/** That the server was reached over its public address. */
export interface Reached {
  /** The id under which the server has logged the request; `undefined` if it came from a cache. */
  readonly requestId: string | undefined
}

/** Asks the public address, as clients do, whether this issuer answers there with the keys of this database. */
export async function * checkIssuer ({ issuer }: Pick<Config, 'issuer'>, kids: readonly string[] | undefined): AsyncGenerator<Finding, Reached | undefined> {
  const { ok, wrong } = findings('issuer')
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const requestId = `doctor-${randomUUID()}`
  const metadata = yield * get({ what: 'The metadata', url: origin + METADATA_PATH + path }, requestId)
  if (metadata === undefined) return undefined
  const named = memberOf(metadata.json, 'issuer')
  if (named !== issuer) {
    yield wrong(`At the public address answers the issuer ${short(String(named))}, and ISSUER is ${issuer}.`, 'Set ISSUER to the same in the server and here, or let the proxy lead to this server.')
  } else {
    yield ok(`${issuer} answers with its metadata, and as this issuer.`)
  }
  yield compareClocks('issuer-clock', issuer, aheadBy(metadata), CLOCK_LEEWAY)

  const jwks = yield * get({ what: 'The key set', url: `${issuer}/.well-known/jwks.json` }, requestId)
  const published = [memberOf(jwks?.json, 'keys')].flat().map(key => memberOf(key, 'kid'))
  const missing = kids?.filter(kid => !published.includes(kid)) ?? []
  if (jwks !== undefined && missing.length > 0) {
    yield wrong(`The key set at the public address lacks ${missing.length} of ${kids?.length} keys of this database.`, 'Another server answers there, or with another database. Compare DATABASE_URL, and ask again after five minutes if a cache is in between.')
  } else if (jwks !== undefined && kids !== undefined) {
    yield ok('The key set at the public address is that of this database.')
  }
  return { requestId: metadata.headers.get('x-request-id') === requestId ? requestId : undefined }
}

async function * get (asked: { what: string, url: string }, requestId: string): AsyncGenerator<Finding, Answer | undefined> {
  const { warning, wrong } = findings('issuer')
  try {
    return await ask(asked.url, { headers: { 'X-Request-Id': requestId } })
  } catch (error) {
    const [sentence, remedy] = explain({ ...asked, setting: 'ISSUER' }, error)
    if (isOutOfReach(error)) yield warning(sentence, `If the server runs and can be reached from other machines, ignore this. ${remedy}`)
    else yield wrong(sentence, remedy)
    return undefined
  }
}

/** A member of what others sent. */
function memberOf (value: unknown, name: string): unknown {
  return value instanceof Object ? (value as Record<string, unknown>)[name] : undefined
}
