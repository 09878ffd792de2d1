import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { issueFormToken } from '../../consent/form-token.js'
import type { AuthorizationRequest } from '../../oauth/authorization-request.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import type { Session } from '../../stores/session-list.js'
import type { SignInFailure } from '../attempt-sign-in.js'
import { describeConsent, describeWithheld } from './describe-consent.js'

/** What the consent page shows in addition to the request. */
interface Shown {
  failure?: SignInFailure
  /** Whether the page is shown again, since what it shows has changed. */
  isChanged?: boolean
  /** Scopes that the person has allowed before. */
  allowed?: readonly string[]
  /** Scopes that the person may not grant. */
  withheld?: readonly string[]
  /** Whether the person has signed in on a page of this request. */
  hasSignedIn?: boolean
}

/** What the page shows of a request. The callback is that of a browser. */
type Request = Pick<AuthorizationRequest, 'client' | 'scope'> & { readonly redirectUri?: string }

/** A digest of what the page shows of a request: the registration of the app can change while the page is open. */
export function digestShown ({ client, redirectUri, scope }: Request): string {
  return hashOpaqueToken(JSON.stringify([client.name, client.links, redirectUri, scope, client.grantTypes.includes('refresh_token')]))
}

/** Makes the function that shows the consent page. @param fastify the scope of the page */
export function createConsentPage (fastify: FastifyInstance, formKeys: FormKeys) {
  return async function showPage (
    { authorization, rawQuery, pushed }: FastifyRequest,
    reply: FastifyReply,
    session: Session | null,
    { failure, isChanged = false, allowed = [], withheld = [], hasSignedIn = false }: Shown = {}
  ) {
    const transaction = issueFormToken(
      formKeys,
      { browser: reply.rememberBrowser(), query: rawQuery },
      fastify.clock.now(),
      { userId: session?.userId, hasSignedIn, shown: digestShown(authorization) }
    )
    return await reply.code(failure?.statusCode ?? (isChanged ? 409 : 200)).page('consent', {
      title: `${authorization.client.name} wants access`,
      action: `${fastify.prefix}/consent?${rawQuery}`,
      ...describeConsent(authorization, allowed),
      withheld: describeWithheld(withheld),
      username: session?.username,
      forgotQuery: pushed === null ? `?${rawQuery}` : '',
      loginHint: authorization.interaction.loginHint ?? '',
      transaction,
      isChanged,
      failure
    }, { leadsOutside: true })
  }
}
