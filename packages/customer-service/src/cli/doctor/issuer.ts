import type { Auth } from '../../config.js'
import { fetchJson } from '@frontdesk/service-kit/outgoing/fetch-json'
import { explain, short } from '@frontdesk/service-kit/doctor/explain'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'

const METADATA_PATH = '/.well-known/oauth-authorization-server'
const JWKS_PATH = '/.well-known/jwks.json'

const { ok, warning, wrong, unchecked } = findings('issuer')

/**
 * Checks that the metadata of the authorization server names ISSUER: at the public URL (RFC 8414 §3.1), or else at the internal
 * URL of the keys.
 * @returns `jwks_uri` of the metadata, if it could be read
 */
export async function * checkIssuer ({ issuer, jwksUrl }: Auth): AsyncGenerator<Finding, string | undefined> {
  const { origin, pathname } = new URL(issuer)
  const url = origin + METADATA_PATH + pathname.replace(/\/$/, '')
  try {
    return yield * compare(issuer, await fetchJson(url))
  } catch (error) {
    const [sentence, remedy] = explain({ what: 'The metadata of the authorization server', url, setting: 'ISSUER' }, error)
    const inside = internalUrl(issuer, jwksUrl)
    const answer = inside === undefined ? undefined : await fetchJson(inside).catch(() => undefined)
    if (answer === undefined) {
      yield warning(`${sentence} Whether ISSUER is right could not be checked.`, remedy)
      return undefined
    }
    yield unchecked(sentence, `The internal address ${inside} answers. If ISSUER is for external clients only, this is expected.`)
    return yield * compare(issuer, answer)
  }
}

function * compare (issuer: string, { json }: { json: unknown }): Generator<Finding, string | undefined> {
  // as: the members are checked below.
  const { issuer: named, jwks_uri: jwks } = (json instanceof Object ? json : {}) as Record<string, unknown>
  if (named === issuer) yield ok(`The issuer of the authorization server is ${issuer}, as in ISSUER.`)
  else if (typeof named !== 'string') {
    yield warning('The metadata of the authorization server has no issuer. Whether ISSUER is right could not be checked.',
      'Compare ISSUER with iss of a token.')
  } else {
    yield wrong(
      `The issuer of the authorization server is ${short(named)}, but ISSUER is ${issuer}${difference(named, issuer)}. ` +
        'Every token is refused.',
      `Set ISSUER=${short(named)}`
    )
  }
  return typeof jwks === 'string' ? jwks : undefined
}

function difference (a: string, b: string): string {
  if (`${a}/` === b || `${b}/` === a) return ': they differ by the slash at the end'
  if (a.toLowerCase() === b.toLowerCase()) return ': they differ by the case of letters'
  if (a.replace(/^https?/, '') === b.replace(/^https?/, '')) return ': they differ by http and https'
  return ''
}

/** The internal URL of the metadata, if the keys are not below ISSUER. */
function internalUrl (issuer: string, jwksUrl: string): string | undefined {
  if (!jwksUrl.endsWith(JWKS_PATH) || jwksUrl.startsWith(`${issuer.replace(/\/$/, '')}/`)) return undefined
  return jwksUrl.slice(0, -JWKS_PATH.length) + METADATA_PATH
}
