import type { Client } from '../oauth/client.js'
import { errors, otherClientAuthError, severalClientAuthsError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { readBasic } from './basic.js'
import type { ClientAuthParts, Credentials } from './client-auth.js'
import { clientAuth } from './index.js'

/**
 * Makes the authentication of clients. It throws OAuthError `invalidClient`, or `invalidRequest` if a request uses two methods. A client
 * must use its registered method, but can send a secret by Basic or in the form (RFC 6749 §2.3).
 */
export function createAuthenticate (parts: ClientAuthParts): (credentials: Credentials, now: Date) => Promise<Client> {
  return async ({ authorization, form, address, endpoint }, now) => {
    const basic = readBasic(authorization)
    const presented = { basic, form, address, endpoint }
    const [used, ...more] = clientAuth.flatMap(method => {
      const id = method.claims(presented)
      return id === undefined ? [] : [{ method, id }]
    })
    if (used === undefined) throw errors.invalidClient('no client_id')
    if (more.length > 0) throw severalClientAuthsError()
    const { method, id } = used
    const others = [single(form, 'client_id'), basic?.id]
    if (!others.every(it => it === undefined || it === id)) throw errors.invalidClient('two client_ids')

    const found = await parts.stores.clients.find(id)
    if (found === null) throw errors.invalidClient('client_id is not registered')
    const facts = { client: id }
    if (found.disabledAt !== null) throw errors.invalidClient('the client is disabled', facts)
    const client = await parts.documentRefresh.current(found, address, now)
    const { tokenEndpointAuthMethod: registered } = client
    const isRegistered = clientAuth.find(({ name }) => name === registered)?.proof === method.proof
    if (!isRegistered && method.proof !== 'secret') throw errors.invalidClient(`${method.name} instead of ${registered}`, facts)
    if (!await method.verify(parts, client, presented, now)) throw errors.invalidClient(`${method.name} failed`, facts)
    // Reveals the registered method only to a client with the correct secret.
    if (!isRegistered) throw otherClientAuthError(registered, `${method.name} instead of ${registered}, with the right secret`, facts)
    return client
  }
}
