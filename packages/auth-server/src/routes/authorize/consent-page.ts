import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RequestedAccess } from '../../consent/identify.js'
import type { SignInFailure } from '../../consent/visit.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { digestShown } from '../../consent/form-token.js'
import type { RememberedConsent } from '../../consent/remembered-consent.js'
import { challengeOf } from '../../factors/relying-party.js'
import { message } from '../../languages/translator.js'
import { isConsole } from '../../oauth/console-client.js'
import { describeDestination } from '../../oauth/describe-destination.js'
import { asksForConsent } from '../../oauth/identity.js'
import { needsLocalSignIn } from '../../oauth/local-sign-in.js'
import { scopesToGrant } from '../../oauth/scope.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import { pageScript, signInScript } from '../page-script.js'
import { issuePageToken } from '../visit.js'
import { describeApp, describePermissions, describeWithheld, describeLinks } from './describe-consent.js'

/** The signed-in user; `null`: the page requires a password. */
export type PageUser = Pick<FoundSession, 'userId' | 'username' | 'withheld'> | null

/** Why a consent page is shown, and what the user has done before. */
export interface Shown {
  failure?: SignInFailure | undefined
  /** Why the page is shown again. */
  why?: string | undefined
  /** Scopes that the user has allowed before. */
  allowed?: readonly string[]
  /** Whether the user has signed in on a page of this request. */
  hasSignedIn?: boolean
}

/** A consent page of a browser or a device. */
interface ConsentPage extends Shown {
  requested: Pick<RequestedAccess, 'client' | 'scope' | 'redirectUri' | 'isAssistant'>
  user: PageUser
  /** What its form token is bound to. */
  query: string
  /** The fields that only this page has. */
  content: object
  /** Name of the view. Default: that of consent. */
  view?: string
}

/** Shows a consent page. */
export async function showConsentPage (
  reply: FastifyReply,
  formKeys: FormKeys,
  { requested, user, query, content, view = 'consent', failure, why, allowed = [], hasSignedIn = false }: ConsentPage
): Promise<FastifyReply> {
  const { client, scope, redirectUri, isAssistant } = requested
  const grantable = scopesToGrant(scope, user?.withheld ?? null)
  const transaction = issuePageToken(reply, formKeys, query, { userId: user?.userId, hasSignedIn, shown: digestShown(requested, user) })
  return await reply.code(failure?.statusCode ?? (why === 'changed' ? 409 : 200)).page(view, {
    title: message('sign-in.title', { app: client.name }),
    ...describeApp(client),
    ...describePermissions(grantable, allowed),
    withheld: describeWithheld(scope.filter(it => !grantable.includes(it))),
    username: user?.username,
    transaction,
    challenge: challengeOf(transaction),
    asksForConsent: asksForConsent(client, redirectUri),
    isAssistant,
    isChanged: why === 'changed',
    offersUpstream: user === null && !needsLocalSignIn(requested),
    failure,
    ...content
  }, { leadsOutside: redirectUri !== undefined, script: user === null ? signInScript : pageScript })
}

/** Makes the function that shows a browser's consent page. @param fastify the page's scope */
export function createConsentPage (fastify: FastifyInstance, formKeys: FormKeys, { granted }: Pick<RememberedConsent, 'granted'>) {
  return async function showPage (reply: FastifyReply, user: PageUser, shown: Shown = {}) {
    const { authorization: requested, rawQuery: query, pushed } = reply.request
    const content = {
      action: `${fastify.prefix}/consent?${query}`,
      links: describeLinks(requested.client, requested.redirectUri),
      destination: describeDestination(requested.redirectUri),
      forgotQuery: pushed === null ? `?${query}` : '',
      loginHint: requested.interaction.loginHint ?? ''
    }
    // The console is a part of this server: users only sign in.
    const page = isConsole(requested.client)
      ? { view: 'console/sign-in', content: { ...content, title: 'Sign in to administration' } }
      : { content }
    const allowed = shown.allowed?.length || user === null
      ? shown.allowed ?? []
      : await granted({ ...requested, scope: scopesToGrant(requested.scope, user.withheld) }, user.userId)
    return await showConsentPage(reply, formKeys, { ...shown, allowed, requested, user, query, ...page })
  }
}
