import type { Client } from '../../oauth/client.js'
import { errors } from '../../oauth/errors.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { single, type Parameters } from '../../oauth/parameters.js'
import { subjectOf } from '../../oauth/subject.js'
import { classifyMismatch } from '../../oauth/redirect-uri.js'
import { withQuery } from '../../response-modes/query.js'
import type { Clients } from '../../stores/clients/clients.js'
import type { ReadIdToken } from '../../tokens/read-id-token.js'

/** A request to sign out (OpenID Connect RP-Initiated Logout §2). */
export interface EndSession {
  /** Whether the ID token proves that the client has signed this user in. */
  hasSignedIn (userId: string): boolean
  /** The session of the ID token, as the client knows it; `null`: none, or unproven. */
  readonly sid: string | null
  /** Name of the client; `undefined`: unknown. */
  readonly clientName: string | undefined
  /** Where to redirect afterwards; `null`: nowhere. */
  readonly target: string | null
  /** Whether the target is unverified, because the client registered itself. */
  readonly isUnchecked: boolean
}

/** Reads the request. @throws OAuthError `unknownClient`, `otherClient` or `invalidCallback`, for the user */
export async function readEndSession (
  parameters: Parameters,
  { clients, readIdToken }: { clients: Pick<Clients, 'find'>, readIdToken: ReadIdToken }
): Promise<EndSession> {
  const hint = single(parameters, 'id_token_hint')
  const read = hint === undefined ? null : await readIdToken(hint)
  const named = single(parameters, 'client_id')
  if (read !== null && named !== undefined && named !== read.clientId) {
    throw errors.otherClient('client_id is not the client of id_token_hint', { client: named })
  }
  const clientId = named ?? read?.clientId
  const client = clientId === undefined ? null : await clients.find(clientId)
  if (clientId !== undefined && (client === null || client.disabledAt !== null)) {
    throw errors.unknownClient('the client is not registered, or disabled')
  }
  return {
    hasSignedIn: userId => read !== null && client !== null && read.subject === subjectOf(client, userId),
    sid: read?.sid ?? null,
    clientName: client?.name,
    target: readTarget(parameters, client),
    isUnchecked: client !== null && isSelfRegistered(client)
  }
}

/** The address to redirect to, with `state` (§3); `null` without one, or without a client. */
function readTarget (parameters: Parameters, client: Client | null): string | null {
  const uri = single(parameters, 'post_logout_redirect_uri')
  if (uri === undefined || client === null) return null
  if (!client.postLogoutRedirectUris.includes(uri)) {
    const shown = { requested: uri.slice(0, 2000), difference: classifyMismatch(uri, client.postLogoutRedirectUris) ?? 'host' }
    throw errors.invalidCallback('post_logout_redirect_uri is not registered', { client: client.id }, shown)
  }
  const state = single(parameters, 'state')
  return state === undefined ? uri : withQuery(uri, { state })
}
