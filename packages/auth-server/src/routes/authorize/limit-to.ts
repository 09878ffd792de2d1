import type { FastifyRequest } from 'fastify'
import { errors, type OAuthError } from '../../oauth/errors.js'
import { withoutWithheld } from '../../oauth/scope.js'
import type { FormToken } from '../../consent/form-token.js'
import { digestShown } from './consent-page.js'

/** A person with the scopes that they cannot grant, space-separated; `null`: none. */
interface Grantor { readonly withheld: string | null }

/** Limits the request to what a person may grant. Returns what they may not. @param person `null`: not known yet */
export function limitTo (request: FastifyRequest, person: Grantor | null): readonly string[] {
  const { authorization } = request
  const scope = withoutWithheld(authorization.scope, person?.withheld ?? null)
  if (scope.length === authorization.scope.length) return []
  request.authorization = { ...authorization, scope }
  return authorization.scope.filter(it => !scope.includes(it))
}

/** What a decision can grant. */
interface Limited {
  readonly withheld: readonly string[]
  /** The error if nothing remains. */
  readonly refusal: OAuthError | null
  /** Whether the page showed something else, and must be shown again. */
  readonly isNews: boolean
  /** Whether that is because the app changed its registration, or an operator the roles. */
  readonly isChanged: boolean
}

/** The same for a decision on a page. @param page a page that knew no person showed the whole request */
export function limitDecision (request: FastifyRequest, person: Grantor, page: Pick<FormToken, 'userId' | 'shown'>): Limited {
  const all = digestShown(request.authorization)
  const withheld = limitTo(request, person)
  const { scope, client } = request.authorization
  const isEmpty = withheld.length > 0 && scope.length === 0
  const isNews = (withheld.length === 0 ? all : digestShown(request.authorization)) !== page.shown
  return {
    withheld,
    refusal: isEmpty ? errors.emptyScope('the user can grant none of the scopes', { client: client.id }) : null,
    isNews,
    isChanged: isNews && (page.userId !== undefined || all !== page.shown)
  }
}
