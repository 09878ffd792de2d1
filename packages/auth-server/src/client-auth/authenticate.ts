import type { Client } from '../oauth/client.js'
import { oauthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import type { ClientAuthParts, Credentials } from './client-auth.js'
import { clientAuth } from './index.js'

/** Says which client makes a request. @throws OAuthError `invalidClient`, or `invalidRequest` if it uses two ways */
export type Authenticate = (credentials: Credentials, now: Date) => Promise<Client>

/** Makes the check: a client authenticates in the one way that it is registered for (RFC 6749 §2.3). */
export function createAuthenticate (parts: ClientAuthParts): Authenticate {
  return async (credentials, now) => {
    const [used, ...others] = clientAuth.flatMap(method => {
      const id = method.claims(credentials)
      return id === undefined ? [] : [{ method, id }]
    })
    if (used === undefined) throw oauthError('invalidClient', 'no client_id')
    if (others.length > 0) throw oauthError('invalidRequest', 'more than one way of client authentication')
    const { method, id } = used
    if (![undefined, id].includes(single(credentials.form, 'client_id'))) throw oauthError('invalidClient', 'two client_ids')

    const client = await parts.stores.clients.find(id)
    if (client === null) throw oauthError('invalidClient', 'client_id is not registered')
    const facts = { client: id }
    if (client.disabledAt !== null) throw oauthError('invalidClient', 'the client is disabled', facts)
    if (client.tokenEndpointAuthMethod !== method.name) throw oauthError('invalidClient', `${method.name} is not its way to authenticate`, facts)
    if (!await method.verify(parts, client, credentials, now)) throw oauthError('invalidClient', `${method.name} failed`, facts)
    return client
  }
}
