import type { FastifyInstance, FastifyReply } from 'fastify'
import type { SignInFailure } from '../../consent/decide.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { digestShown, issueFormToken } from '../../consent/form-token.js'
import { describeDestination } from '../../oauth/describe-destination.js'
import { scopesToGrant } from '../../oauth/scope.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import { describeApp, describePermissions, describeWithheld, describeLinks } from './describe-consent.js'

interface Shown {
  failure?: SignInFailure
  /** Why the page is shown again. */
  why?: string
  /** Scopes that the user has allowed before. */
  allowed?: readonly string[]
  /** Whether the user has signed in on a page of this request. */
  hasSignedIn?: boolean
}

/** Makes the function that shows the consent page. @param fastify the page's scope */
export function createConsentPage (fastify: FastifyInstance, formKeys: FormKeys) {
  return async function showPage (
    reply: FastifyReply,
    user: Pick<FoundSession, 'userId' | 'username' | 'withheld'> | null,
    { failure, why, allowed = [], hasSignedIn = false }: Shown = {}
  ) {
    const { authorization, rawQuery, pushed } = reply.request
    const { client, scope, redirectUri } = authorization
    const grantable = scopesToGrant(scope, user?.withheld ?? null)
    const transaction = issueFormToken(
      formKeys,
      { browser: reply.rememberBrowser(), query: rawQuery },
      fastify.clock.now(),
      { userId: user?.userId, hasSignedIn, shown: digestShown(authorization, user) }
    )
    return await reply.code(failure?.statusCode ?? (why === 'changed' ? 409 : 200)).page('consent', {
      title: `${client.name} wants access`,
      action: `${fastify.prefix}/consent?${rawQuery}`,
      ...describeApp(client),
      links: describeLinks(client, redirectUri),
      destination: describeDestination(redirectUri),
      ...describePermissions(grantable, allowed),
      withheld: describeWithheld(scope.filter(it => !grantable.includes(it))),
      username: user?.username,
      forgotQuery: pushed === null ? `?${rawQuery}` : '',
      loginHint: authorization.interaction.loginHint ?? '',
      transaction,
      isChanged: why === 'changed',
      failure
    }, { leadsOutside: true })
  }
}
