import { importJWK, type JWK } from 'jose'
import type { Auth } from '../../config.js'
import { isRemoteHttp } from '@frontdesk/service-kit/address'
import { aheadBy, compareClocks } from '@frontdesk/service-kit/doctor/clock'
import { explain, short } from '@frontdesk/service-kit/doctor/explain'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { fetchJwks } from '../../keys/keys.js'

const { ok, warning, wrong } = findings('keys')
const algorithm = findings('algorithms')

/**
 * Checks that the keys can be fetched and used, and that the clocks agree.
 * @param named `jwks_uri` of the metadata
 */
export async function * checkKeys (
  { issuer, jwksUrl, algorithms }: Auth,
  named: string | undefined,
  production: boolean
): AsyncGenerator<Finding> {
  let fetched
  try {
    fetched = await fetchJwks(jwksUrl)
  } catch (error) {
    const [sentence, remedy] = explain(
      { what: 'The key set', url: jwksUrl, setting: jwksUrl.startsWith(issuer) ? 'ISSUER or JWKS_URL' : 'JWKS_URL' },
      error
    )
    yield wrong(
      sentence,
      named === undefined || named === jwksUrl ? remedy : `The metadata says that it is at ${short(named)}: try JWKS_URL=${short(named)}`
    )
    return
  }
  const { keys } = fetched.jwks
  const faults = (await Promise.all(keys.map(findFault))).filter(fault => fault !== undefined)
  yield * faults.map(fault => wrong(fault, 'Fix it in the authorization server.'))
  const count = keys.length === 1 ? 'a key' : `${keys.length} keys`
  if (faults.length === 0) yield ok(`The key set at ${jwksUrl} has ${count} that can be read.`)

  const algOf = (key: JWK) => algorithmOf(key, algorithms)
  const left = new Set(keys.map(algOf).filter(alg => !algorithms.includes(alg)))
  const setting = `SIGNING_ALGS is ${algorithms.join(',')}`
  if (left.size === 0) {
    yield algorithm.ok(`Its keys are for ${[...new Set(keys.map(algOf))].join(', ')}, which SIGNING_ALGS allows.`)
  } else if (keys.every(key => left.has(algOf(key)))) {
    yield algorithm.wrong(`All of its keys are for ${[...left].join(', ')}, but ${setting}. Every token is refused.`,
      `Set SIGNING_ALGS=${[...left].join(',')}`)
  } else {
    yield algorithm.warning(`Some of its keys are for ${[...left].join(', ')}, but ${setting}. Their tokens are refused.`,
      'Add the algorithm to SIGNING_ALGS if the authorization server signs with it.')
  }
  yield compareClocks('issuer-clock', 'the authorization server', aheadBy(fetched))
  if (production && isRemoteHttp(jwksUrl)) {
    yield warning('JWKS_URL is http: an attacker on the network can answer with other keys.',
      'Use http on a private network only, else https.')
  }
}

async function findFault (key: JWK): Promise<string | undefined> {
  const { kid } = key
  const name = `The key ${typeof kid === 'string' ? short(kid) : `of type ${short(String(key.kty))}`}`
  if (typeof kid !== 'string') return `${name} has no kid, so no token can name it.`
  if ('d' in key || 'k' in key) return `${name} is published with its private part: anyone can sign tokens with it.`
  return await importJWK(key, algorithmOf(key)).then(() => undefined, () => `${name} cannot be read.`)
}

/** The algorithm of a key: its `alg`, or else the usual one of its type. @param preferred names to prefer */
function algorithmOf ({ alg, kty, crv }: JWK, preferred: readonly string[] = []): string {
  if (typeof alg === 'string') return short(alg)
  if (kty === 'EC' && crv === 'P-256') return 'ES256'
  return kty === 'RSA' ? 'RS256' : kty === 'OKP' && crv === 'Ed25519' ? ed25519Name(preferred) : short(`${kty} ${crv ?? ''}`.trim())
}

/** Tokens of an Ed25519 key can have either name (RFC 9864 §2.2), and a key without `alg` does not show which. */
function ed25519Name (preferred: readonly string[]): string {
  return preferred.includes('EdDSA') || !preferred.includes('Ed25519') ? 'EdDSA' : 'Ed25519'
}
