import type { AuthorizationRequest } from '../../oauth/authorization-request.js'
import { parameterError } from '../../oauth/errors.js'
import type { ReadIdToken } from '../../tokens/read-id-token.js'

/**
 * The users who can sign in, by `id_token_hint` and `claims` (OpenID Connect Core §3.1.2.1, §5.5.1): the `sub` must be in every list.
 * @throws OAuthError `invalidRequest` if the hint is not an ID token of this server for the client
 */
export async function readRequiredSubjects (
  { client, idTokenHint, subjects }: AuthorizationRequest,
  readIdToken: ReadIdToken
): Promise<ReadonlyArray<readonly string[]>> {
  const named = subjects === undefined ? [] : [subjects]
  if (idTokenHint === undefined) return named
  const hint = await readIdToken(idTokenHint)
  if (hint === null || hint.subject === null || hint.clientId !== client.id) throw parameterError('id_token_hint', 'has an invalid value')
  return [...named, [hint.subject]]
}
