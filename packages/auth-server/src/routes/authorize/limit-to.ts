import type { FastifyRequest } from 'fastify'
import { oauthError, type OAuthError } from '../../oauth/errors.js'
import { withoutWithheld } from '../../oauth/scope.js'

/** A person with the scopes that they may not grant, space-separated; `null`: none. */
interface Grantor { readonly withheld: string | null }

/** Limits the request to what a person may grant. Returns what they may not. @param person `null`: not known yet */
export function limitTo (request: FastifyRequest, person: Grantor | null): readonly string[] {
  const { authorization } = request
  const scope = withoutWithheld(authorization.scope, person?.withheld ?? null)
  if (scope.length === authorization.scope.length) return []
  request.authorization = { ...authorization, scope }
  return authorization.scope.filter(it => !scope.includes(it))
}

/** The same for a decision. `refusal`: the error if nothing remains. */
export function limitDecision (request: FastifyRequest, person: Grantor): { withheld: readonly string[], refusal: OAuthError | null } {
  const withheld = limitTo(request, person)
  const { scope, client } = request.authorization
  const isEmpty = withheld.length > 0 && scope.length === 0
  return { withheld, refusal: isEmpty ? oauthError('emptyScope', 'the person may grant none of the scopes', { client: client.id }) : null }
}
