import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { getsLogoutTokens } from '../../consent/client-session.js'
import { isAllowed, type RememberedConsent } from '../../consent/remembered-consent.js'
import { verifyFormToken, type FormToken } from '../../consent/form-token.js'
import { errors } from '../../oauth/errors.js'
import { assertMayAsk, sessionFor } from '../../oauth/interaction.js'
import { randomOpaqueToken } from '../../sign-in/opaque-token.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { FoundSession } from '../../stores/sessions.js'
import type { ReadIdToken } from '../../tokens/read-id-token.js'
import { page, pageOrProblem } from '../answers.js'
import { beginSignIn, type Credentials } from '../attempt-sign-in.js'
import { AuthorizeQuery } from './authorize.js'
import { createConsentPage } from './consent-page.js'
import { readDecision } from '../decision-form.js'
import { formBinding } from '../form-binding.js'
import { issueAnswer, type Issuing } from './issue-answer.js'
import { limitDecision, limitTo } from './limit-to.js'
import { isWanted, wantedSubjects } from './wanted-user.js'
import { isNavigation } from './navigation.js'
import { sameSession } from '../same-session.js'

/** The form of the consent page. */
const ConsentForm = Type.Object({
  transaction: Type.String({ description: 'The page\'s hidden field.' }),
  decision: Type.Union(
    ['allow', 'deny', 'switch'].map(it => Type.Literal(it)),
    { description: 'The button: allow, deny, or sign in as another user.' }
  ),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String())
})

interface Options {
  /** What answers are issued with. */
  issuing: Issuing
  signIn: SignIn
  /** Authenticates the hidden field. */
  formKeys: FormKeys
  rememberedConsent: RememberedConsent
  readIdToken: ReadIdToken
}

/** `GET /consent` shows the consent page, unless remembered consent suffices; `POST /consent` takes the decision. */
const consent: FastifyPluginAsyncTypebox<Options> = async function consent (
  fastify,
  { issuing, signIn, formKeys, rememberedConsent, readIdToken }
) {
  const showPage = createConsentPage(fastify, formKeys)
  const schema = {
    tags: ['Consent page'],
    querystring: AuthorizeQuery,
    response: { 303: Type.Null({ description: 'Redirects to the callback.' }), '2xx': page, '4xx': pageOrProblem, '5xx': pageOrProblem }
  }

  fastify.get('/consent', {
    schema: {
      ...schema,
      operationId: 'showConsent',
      summary: 'Show the consent page'
    }
  }, async (request, reply) => {
    const { authorization } = request
    const { interaction } = authorization
    const wanted = await wantedSubjects(authorization, readIdToken)
    const findSession = async () => {
      const found = sessionFor(interaction, await request.session(authorization.client.id), fastify.clock.now())
      return found !== null && isWanted(wanted, authorization.client, found.userId) ? found : null
    }
    let session = await findSession()
    const withheld = limitTo(request, session)
    const allowed = session === null ? [] : await rememberedConsent.allowed(request.authorization, session.userId)
    if (session !== null && !interaction.asked && isNavigation(request) && isAllowed(request.authorization, allowed)) {
      const answer = await issueAgain(request, session)
      if (answer !== null) return await reply.toCallback(authorization, answer)
      // Race: consent was removed or the session ended meanwhile.
      session = await findSession()
      allowed.length = 0
    }
    assertMayAsk(interaction, session)
    return await showPage(request, reply, session, { allowed, withheld })
  })

  fastify.post('/consent', {
    schema: {
      ...schema,
      operationId: 'decideConsent',
      summary: 'Allow or deny',
      consumes: ['application/x-www-form-urlencoded'],
      body: ConsentForm
    }
  }, async (request, reply) => {
    const form = readDecision(request.form, ['allow', 'deny', 'switch'])
    const now = fastify.clock.now()
    const formToken = verifyFormToken(formKeys, form.transaction, formBinding(request, request.rawQuery), now)
    if (form.decision === 'deny') {
      await request.spendPushed(now)
      throw errors.accessDenied('Deny was pressed')
    }
    if (form.decision === 'switch') {
      const userId = await reply.signOut()
      if (userId !== null) request.audit({ event: 'sign-out', outcome: 'done', userId })
      return await showPage(request, reply, null)
    }
    return form.username !== undefined || formToken.userId === undefined
      ? await allowBySignIn(request, reply, form, formToken, now)
      : await allowInSession(request, reply, formToken.userId, formToken, now)
  })

  async function allowBySignIn (request: FastifyRequest, reply: FastifyReply, form: Credentials, formToken: FormToken, now: Date) {
    const { authorization } = request
    const { nonce } = formToken
    const wanted = await wantedSubjects(authorization, readIdToken)
    const starting = await beginSignIn(signIn, form, request, reply, now, authorization.client.id)
    if ('message' in starting) return await showPage(request, reply, null, { failure: starting })
    const { id: userId, grantEpoch: epoch } = starting.user
    if (!isWanted(wanted, authorization.client, userId)) {
      await starting.started
      throw errors.loginRequired('the signed-in user is not the one in id_token_hint or claims')
    }
    const { refusal, isNews, ...limited } = limitDecision(request, starting.user, formToken)
    if (refusal !== null) {
      await starting.started
      throw refusal
    }
    if (isNews) {
      const session = await starting.started
      if ('message' in session) return await showPage(request, reply, null, { failure: session })
      return await showPage(request, reply, session, { ...limited, hasSignedIn: true })
    }
    // At once with the session, in one commit, unless the app gets its sid. What ends the session ends the grant: both need the
    // epoch from before the check.
    const allowed = { userId, authTime: now, epoch, nonce, isSilent: false }
    const issued = getsLogoutTokens(authorization) ? undefined : issueAnswer(issuing, request, allowed, now)
    issued?.catch(() => {})
    const session = await starting.started
    if ('message' in session) return await showPage(request, reply, null, { failure: session })
    const answer = await (issued ?? issueAnswer(issuing, request, { ...allowed, session }, now))
    return await sendAnswer(request, reply, { userId, nonce }, answer, now)
  }

  async function allowInSession (request: FastifyRequest, reply: FastifyReply, userId: string, formToken: FormToken, now: Date) {
    const { authorization: { interaction, client } } = request
    const { nonce, hasSignedIn } = formToken
    const session = await sameSession(request, userId, client.id)
    // `max_age` may have passed while the page was open. One sign-in is enough for a request (OpenID Connect Core §3.1.2.1).
    if (!hasSignedIn && sessionFor(interaction, session, now) === null) return await showPage(request, reply, null)
    const { refusal, isNews, ...limited } = limitDecision(request, session, formToken)
    if (refusal !== null) throw refusal
    if (isNews) return await showPage(request, reply, session, { ...limited, hasSignedIn })
    const { authTime, epoch } = session
    const answer = await issueAnswer(issuing, request, { userId, authTime, epoch, nonce, isSilent: false, session }, now)
    return await sendAnswer(request, reply, { userId, nonce }, answer, now)
  }

  /** Sends the answer of a form to the callback, and remembers the consent. */
  async function sendAnswer (
    request: FastifyRequest,
    reply: FastifyReply,
    given: { userId: string, nonce: string },
    answer: Record<string, string | number> | null,
    now: Date
  ) {
    const { authorization } = request
    if (answer === null) throw errors.endedForm('the session or the client\'s access was revoked in the meantime')
    // After the grant: a form that is replayed later grants nothing, and must not restore consent that was removed.
    await rememberedConsent.keep(authorization, given, now)
      .catch(err => request.log.warn({ err }, 'the consent could not be remembered'))
    return await reply.toCallback(authorization, answer)
  }

  /** Grants what was allowed before without asking; `null`, with nothing granted, if consent was removed meanwhile. */
  async function issueAgain (request: FastifyRequest, session: FoundSession) {
    const { userId, authTime, epoch } = session
    const allowed = { userId, authTime, epoch, nonce: randomOpaqueToken(), isSilent: true, session }
    return await issueAnswer(issuing, request, allowed, fastify.clock.now())
  }
}
export default consent
