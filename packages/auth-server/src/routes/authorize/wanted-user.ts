import type { AuthorizationRequest } from '../../oauth/authorization-request.js'
import { parameterError } from '../../oauth/errors.js'
import type { ReadIdToken } from '../../tokens/read-id-token.js'

/**
 * Who must sign in, by `id_token_hint` (OpenID Connect Core §3.1.2.1); `undefined`: any person may.
 * @throws OAuthError `invalidRequest` if it is no ID token that this server made for the client
 */
export async function wantedUser (
  { client, idTokenHint }: AuthorizationRequest,
  readIdToken: ReadIdToken
): Promise<string | undefined> {
  if (idTokenHint === undefined) return undefined
  const hint = await readIdToken(idTokenHint)
  if (hint === null || hint.userId === null || hint.clientId !== client.id) throw parameterError('id_token_hint', 'has an invalid value')
  return hint.userId
}

export function isWanted (wanted: string | undefined, userId: string): boolean {
  return wanted === undefined || wanted === userId
}
