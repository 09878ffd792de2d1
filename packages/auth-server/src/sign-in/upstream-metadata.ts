import { isRemoteHttp } from '@frontdesk/service-kit/address'
import type { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import type * as openid from 'openid-client'
import type { Upstream } from '../settings/upstream.js'

/** Timeout of a request, in milliseconds: a user waits. */
const TIMEOUT_MS = 10_000
/** Maximum size of a response, in bytes. */
const MAX_BYTES = 65_536
/** How long metadata is cached, in milliseconds, and how long after that it is used if it cannot be fetched. */
const [FRESH_MS, GRACE_MS] = [60 * 60_000, 24 * 60 * 60_000]
/** How long after a failure it is not fetched again, in milliseconds. */
const RETRY_MS = 10_000

type Options = Upstream & { readonly library: typeof openid, readonly outgoing: Pick<Outgoing, 'send'> }

/**
 * Makes the function that finds the metadata of the upstream provider (OpenID Connect Discovery §4), cached (single-flight, with back-off),
 * and returns a configuration of openid-client for one exchange. It rejects if there is no usable metadata.
 */
export function createConfigure ({ library, issuer, clientId, clientSecret, outgoing }: Options) {
  const isHttp = issuer.startsWith('http:')
  let known: { readonly metadata: openid.ServerMetadata, readonly fetchedAt: number } | undefined
  let failure: { readonly error: unknown, readonly until: number } | undefined
  let loading: Promise<openid.ServerMetadata> | undefined

  async function load (): Promise<openid.ServerMetadata> {
    const config = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
      [library.customFetch]: fetchBounded, execute: isHttp ? [library.allowInsecureRequests] : []
    })
    const metadata = config.serverMetadata()
    const page = metadata.authorization_endpoint ?? ''
    if (!/^https?:/.test(page) || !URL.canParse(page) || isRemoteHttp(page)) throw new Error('the authorization_endpoint is not https')
    if (metadata.jwks_uri === undefined) throw new Error('the metadata has no jwks_uri')
    return metadata
  }

  async function find (): Promise<openid.ServerMetadata> {
    const time = performance.now()
    const age = known === undefined ? Infinity : time - known.fetchedAt
    if (known !== undefined && age < FRESH_MS) return known.metadata
    if (failure === undefined || failure.until <= time) {
      loading ??= load().finally(() => { loading = undefined })
      try {
        known = { metadata: await loading, fetchedAt: performance.now() }
        failure = undefined
        return known.metadata
      } catch (error) {
        failure = { error, until: performance.now() + RETRY_MS }
      }
    }
    if (known !== undefined && age < FRESH_MS + GRACE_MS) return known.metadata
    throw failure.error
  }

  /** Without redirects, bounded, and only to allowed addresses. */
  async function fetchBounded (url: string, { method, headers, body }: openid.CustomFetchOptions): Promise<Response> {
    const sent = { url, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    const { status, headers: received, text } = await outgoing.send(
      method === 'POST' ? { ...sent, method, body: String(body) } : sent)
    const kept = ['content-type', 'www-authenticate'].flatMap(name => typeof received[name] === 'string' ? [[name, received[name]]] : [])
    return new Response([204, 205, 304].includes(status) ? null : text, { status, headers: Object.fromEntries(kept) })
  }

  return async function configure (now: Date): Promise<openid.Configuration> {
    const metadata = await find()
    const { token_endpoint_auth_methods_supported: methods } = metadata
    const isPost = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic')
    const skew = Math.round((now.getTime() - Date.now()) / 1_000)
    const auth = (isPost ? library.ClientSecretPost : library.ClientSecretBasic)(clientSecret)
    const config = new library.Configuration(metadata, clientId, { [library.clockSkew]: skew }, auth)
    config[library.customFetch] = fetchBounded
    if (isHttp) library.allowInsecureRequests(config)
    // Verifies signatures, although the ID token comes from the token endpoint.
    library.enableNonRepudiationChecks(config)
    return config
  }
}
