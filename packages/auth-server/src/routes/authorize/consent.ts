import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endsWithSession } from '../../consent/client-session.js'
import { decide, recentSession, type Decision } from '../../consent/decide.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { digestShown } from '../../consent/form-token.js'
import { isAllowed, type RememberedConsent } from '../../consent/remembered-consent.js'
import { findSecondStep, type SecondStep } from '../../consent/second-step.js'
import type { AuthorizationRequest } from '../../oauth/authorization-request.js'
import { isConsole } from '../../oauth/console-client.js'
import { errors } from '../../oauth/errors.js'
import { assertMayAsk } from '../../oauth/interaction.js'
import { acceptsSignIn } from '../../oauth/local-sign-in.js'
import { scopesToGrant } from '../../oauth/scope.js'
import { subjectOf } from '../../oauth/subject.js'
import { randomOpaqueToken } from '../../sign-in/opaque-token.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import type { ReadIdToken } from '../../tokens/read-id-token.js'
import { pages } from '../responses.js'
import { showSecondStep } from '../sign-in/factor-page.js'
import { UPSTREAM_DECISION } from '../sign-in/step-form.js'
import { createVisit, decisionForm, readDecision, takeSignedInNote, type SignInSteps } from '../visit.js'
import { AuthorizeQuery } from './authorize.js'
import { createConsentPage } from './consent-page.js'
import { issueResponse, type Issuing } from './issue-response.js'
import { isNavigation } from './navigation.js'
import { readRequiredSubjects } from './required-subjects.js'

const DECISIONS = ['allow', 'deny', 'switch'] as const

interface Options {
  issuing: Issuing
  signInSteps: SignInSteps
  formKeys: FormKeys
  rememberedConsent: RememberedConsent
  readIdToken: ReadIdToken
}

/** A session, and what it still needs for the request. */
interface StepSession extends FoundSession {
  readonly step: SecondStep | null
  /** Whether the user has just signed in for this request, with the upstream provider. */
  readonly hasSignedIn: boolean
}

/** Whether a page can be skipped if consent is not needed. */
function isRepeatable (request: FastifyRequest, session: StepSession | null): session is StepSession {
  return session !== null && session.isAdmitted && !request.authorization.interaction.asked && isNavigation(request)
}

type Requested = AuthorizationRequest & { readonly requiredSubjects: () => Promise<ReadonlyArray<readonly string[]>> }

/** `GET /consent` shows the consent page, unless remembered consent suffices; `POST /consent` takes the decision. */
const consent: FastifyPluginAsyncTypebox<Options> = async function consent (
  fastify,
  { issuing, signInSteps, formKeys, rememberedConsent, readIdToken }
) {
  const showPage = createConsentPage(fastify, formKeys, rememberedConsent)
  const schema = {
    tags: ['Consent page'],
    querystring: AuthorizeQuery,
    response: { ...pages, 303: Type.Null({ description: 'Redirects to the callback.' }) }
  }

  fastify.get('/consent', {
    schema: {
      ...schema,
      operationId: 'showConsent',
      summary: 'Show the consent page',
      response: { ...schema.response, 302: Type.Null({ description: 'Redirects to the callback, with an error.' }) }
    }
  }, async (request, reply) => {
    const { authorization } = request
    let session = await findSession(reply)
    const grantable = { ...authorization, scope: scopesToGrant(authorization.scope, session?.withheld ?? null) }
    const isUnneeded = isConsole(authorization.client) || rememberedConsent.isUnneeded(grantable)
    const allowed = session === null || isUnneeded ? [] : await rememberedConsent.allowed(grantable, session.userId)
    if (isRepeatable(request, session) && (isUnneeded || isAllowed(grantable, allowed))) {
      if (session.step !== null) return await showStepOf(reply, session, session.step)
      const answer = await issueWithoutPage(request, grantable, session, !isUnneeded)
      if (answer !== null) return await reply.toCallback(authorization, answer)
      // Race: consent was removed, or the session ended.
      session = await findSession(reply)
      allowed.length = 0
    }
    assertMayAsk(authorization.interaction, session)
    return await showPage(reply, session, { allowed, hasSignedIn: session?.hasSignedIn === true })
  })

  fastify.post('/consent', {
    schema: {
      ...schema,
      operationId: 'decideConsent',
      summary: 'Allow or deny',
      consumes: ['application/x-www-form-urlencoded'],
      body: decisionForm(
        [...DECISIONS, UPSTREAM_DECISION], 'The button: allow, deny, or sign in as another user or with the upstream provider.'
      )
    },
    preHandler: async (request, reply) => await signInSteps.enrolling.answer(reply, stepForm(request))
  }, async (request, reply) => {
    const { authorization, rawQuery } = request
    const requested = { ...authorization, requiredSubjects: () => readRequiredSubjects(authorization, readIdToken) }
    const form = readDecision(request.form, DECISIONS)
    const visit = createVisit(signInSteps, reply, rawQuery)
    const decision = await decide<Requested>(formKeys, form, async () => requested, visit)
    switch (decision.outcome) {
      case 'allow': return await allow(reply, decision, visit.now)
      case 'ask': return await showPage(reply, decision.user, decision)
      case 'factor': case 'unenrolled': return await showStep(reply, decision)
      case 'signed out': return await showPage(reply, null)
      case 'refused': throw decision.error
      default:
        await request.spendPushed(visit.now)
        throw errors.accessDenied('Deny was pressed')
    }
  })

  /** The session, if it is recent enough for the request, and of a user that the request permits. */
  async function findSession (reply: FastifyReply): Promise<StepSession | null> {
    const { request } = reply
    const { authorization } = request
    const subjects = await readRequiredSubjects(authorization, readIdToken)
    const session = await request.session(authorization.client.id)
    const found = recentSession(authorization, session, fastify.clock.now()) ?? takeSignedIn(reply, session)
    if (found === null || !subjects.every(it => it.includes(subjectOf(authorization.client, found.userId)))) return null
    return { hasSignedIn: false, ...found, step: await findSecondStep(found, authorization, () => request.isTrustedBy(found.userId)) }
  }

  /** The session of a user who has just signed in for this request, with the upstream provider. */
  function takeSignedIn (reply: FastifyReply, session: FoundSession | null) {
    const { authorization, rawQuery } = reply.request
    if (session === null || !acceptsSignIn(authorization, session)) return null
    return takeSignedInNote(reply, formKeys, rawQuery) === session.userId ? { ...session, hasSignedIn: true } : null
  }

  /**
   * Shows what a session needs before consent that is remembered. Other apps do not learn the level of a session, or of its user.
   * @throws OAuthError `unmetAuthentication`
   */
  async function showStepOf (reply: FastifyReply, session: StepSession, step: SecondStep) {
    const { authorization } = reply.request
    if (step.outcome === 'refused') throw step.error
    const { userId, username, factors, hasSignedIn } = session
    assertMayAsk(authorization.interaction, null)
    const shown = digestShown(authorization, session)
    const page = { userId, hasSignedIn, shown }
    return await showStep(reply, step.outcome === 'factor' ? { ...step, username, factors, page } : { ...step, page })
  }

  async function showStep (reply: FastifyReply, step: Parameters<typeof showSecondStep>[3]) {
    return await showSecondStep(reply, { formKeys, ...signInSteps }, stepForm(reply.request), step)
  }

  function stepForm ({ rawQuery: query, authorization: { client: { name: clientName } } }: FastifyRequest) {
    return { action: `${fastify.prefix}/consent?${query}`, query, decision: 'allow', clientName, leadsOutside: true }
  }

  /** Issues what the user allowed, sends it to the callback, and remembers the consent. */
  async function allow (
    reply: FastifyReply, { requested, decider, scope, nonce }: Extract<Decision<Requested>, { outcome: 'allow' }>, now: Date
  ) {
    const { request } = reply
    const { userId, epoch, started } = decider
    const authorization = { ...requested, scope }
    const allowed = { request: authorization, userId, authentication: decider, epoch, nonce, isSilent: false }
    const issue = async (session?: Session) => await issueResponse(issuing, request, { ...allowed, session }, now)
    // In one commit with the session, unless the code names it. A revocation ends both: they need the epoch that was read before
    // the password was verified.
    const issued = endsWithSession(authorization) ? undefined : issue()
    issued?.catch(() => {})
    const session = await started
    if ('message' in session) return await showPage(reply, null, { failure: session })
    const answer = await (issued ?? issue(session))
    if (answer === null) throw errors.endedForm('the session or the client\'s access was revoked in the meantime')
    // After the grant: a replayed form grants nothing, and must not restore removed consent.
    await rememberedConsent.remember(authorization, { userId, nonce }, now)
      .catch(err => request.log.warn({ err }, 'the consent could not be remembered'))
    return await reply.toCallback(authorization, answer)
  }

  /**
   * Grants access without asking; `null`, with nothing granted, if it was revoked in the meantime.
   * @param isSilent whether the grant needs remembered consent
   */
  async function issueWithoutPage (
    request: FastifyRequest, authorization: AuthorizationRequest, session: FoundSession, isSilent: boolean
  ) {
    const { userId, epoch } = session
    const allowed = { request: authorization, userId, authentication: session, epoch, nonce: randomOpaqueToken(), isSilent, session }
    return await issueResponse(issuing, request, allowed, fastify.clock.now())
  }
}
export default consent
