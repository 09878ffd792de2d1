import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.js'
import { createRecordUse } from '../../consent/app-use.js'
import { createClientSessionStart } from '../../consent/client-session.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { verifyFormToken, type FormToken } from '../../consent/form-token.js'
import { errors } from '../../oauth/errors.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import { parseScope, withoutWithheld } from '../../oauth/scope.js'
import { createFindDevice } from '../../sign-in/device-limits.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import { readUserCode } from '../../sign-in/user-code.js'
import type { Stores } from '../../stores/stores.js'
import { page, pageOrProblem } from '../answers.js'
import { beginSignIn, type SignInFailure } from '../attempt-sign-in.js'
import { readDecision } from '../decision-form.js'
import { formBinding } from '../form-binding.js'
import { queryOf } from '../query-of.js'
import { sameSession } from '../same-session.js'
import { allowDevice, type Decider } from './allow-device.js'
import { createDevicePages, queryFor } from './device-pages.js'

/** The forms of the pages. */
const DeviceForm = Type.Object({
  transaction: Type.String({ description: 'The page\'s hidden field.' }),
  user_code: Type.String({ description: 'The code shown on the device.' }),
  decision: Type.Union(
    ['continue', 'allow', 'deny', 'switch'].map(it => Type.Literal(it)),
    { description: 'The button: continue with the code, allow, deny, or sign in as another user.' }
  ),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String())
})

interface Options {
  config: Pick<Config, 'issuer' | 'refreshTokenTtl'>
  stores: Pick<Stores, 'clients' | 'clientSessions' | 'deviceCodes' | 'grants' | 'registrations' | 'throttles'>
  signIn: SignIn
  formKeys: FormKeys
}

/** `/device`: a person types the code that a device shows, and allows or denies its request (RFC 8628 §3.3). */
const device: FastifyPluginAsyncTypebox<Options> = async function device (fastify, { config, stores, signIn, formKeys }) {
  const { issuer } = config
  const { deviceCodes, grants } = stores
  const parts = { ...stores, recordUse: createRecordUse(stores), clientSessions: createClientSessionStart(stores.clientSessions, config) }
  const schema = { tags: ['Device page'], response: { '2xx': page, '4xx': pageOrProblem, '5xx': pageOrProblem } }
  const findDevice = createFindDevice(deviceCodes, stores.throttles)
  const pages = createDevicePages({ path: `${fastify.prefix}/device`, formKeys, ...stores })
  const { showEntry, showConsent, takeDone, showDone, setDone } = pages
  // Requests and forms are checked by hand; the schemas document them.
  fastify.setValidatorCompiler(() => () => true)
  fastify.addHook('onRequest', async request => { request.startAgain = `${issuer}/device` })

  fastify.get('/device', {
    schema: {
      ...schema,
      operationId: 'showDevice',
      summary: 'Show the form for a device\'s code',
      querystring: Type.Object({ user_code: Type.Optional(Type.String({ description: 'The user code, to prefill the form.' })) })
    }
  }, async (request, reply) => {
    const typed = single(parseParameters(queryOf(request.url)), 'user_code') ?? ''
    // No reply is awaited for its value: Fastify's replies are thenable, and give none.
    const done = takeDone(reply)
    return done === undefined ? await showEntry(reply, readUserCode(typed)) : await showDone(reply, done)
  })

  fastify.post('/device', {
    schema: {
      ...schema,
      response: { ...schema.response, 303: Type.Null({ description: 'Redirects to a page that shows the decision.' }) },
      operationId: 'decideDevice',
      summary: 'Allow or deny a device\'s request',
      consumes: ['application/x-www-form-urlencoded'],
      body: DeviceForm
    }
  }, async (request, reply) => {
    const now = fastify.clock.now()
    const form = readDecision(request.form, ['continue', 'allow', 'deny', 'switch'])
    const userCode = readUserCode(single(request.form, 'user_code') ?? '')
    const isTyped = form.decision === 'continue'
    const binding = formBinding(request, queryFor(isTyped ? undefined : userCode))
    const formToken = verifyFormToken(formKeys, form.transaction, binding, now)
    if (isTyped) return await enter(userCode, request, reply, now)
    switch (form.decision) {
      case 'allow': return await allow(userCode, form, formToken, request, reply, now)
      case 'deny': return await deny(userCode, request, reply, now)
      default: {
        const userId = await reply.signOut()
        if (userId !== null) request.audit({ event: 'sign-out', outcome: 'done', userId })
        return await showConsent(reply, userCode, await deviceCodes.find(hashOpaqueToken(userCode), now), null)
      }
    }
  })

  async function enter (userCode: string, request: FastifyRequest, reply: FastifyReply, now: Date) {
    const found = await findDevice(userCode, request.ip, now)
    if (found !== null && 'retryAfter' in found) {
      const error = errors.tooManyUserCodes('too many wrong user codes')
      request.noteRefusal(error)
      return await showEntry(reply.header('retry-after', found.retryAfter), userCode, error)
    }
    if (found === null) request.noteRefusal(errors.unknownUserCode('no pending request has this user code'))
    return await showConsent(reply, userCode, found, found === null ? null : await request.session())
  }

  async function allow (
    userCode: string,
    form: { username: string | undefined, password: string | undefined },
    formToken: FormToken,
    request: FastifyRequest,
    reply: FastifyReply,
    now: Date
  ) {
    const asked = await deviceCodes.find(hashOpaqueToken(userCode), now)
    if (asked === null) return await showUsed(userCode, formToken, reply)
    const decider = await findDecider(form, formToken, asked.clientId, request, reply, now)
    if ('message' in decider) return await showConsent(reply, userCode, asked, null, { failure: decider })
    // The app may have changed its registration since, or the page did not know who signs in, and says now what they may not allow.
    if (!await pages.isShown(formToken, asked, decider)) {
      const isChanged = formToken.userId !== undefined || !await pages.isShown(formToken, asked, null)
      return await showConsent(reply, userCode, asked, decider, { isChanged })
    }
    const scope = parseScope(asked.scope)
    if (scope.length > 0 && withoutWithheld(scope, decider.withheld).length === 0) {
      return await deny(userCode, request, reply, now, 'the user can grant none of the scopes')
    }
    const outcome = await allowDevice(parts, { userCode, asked, decider, nonce: formToken.nonce }, request, now)
    if (outcome === 'ended') throw errors.endedForm('the session or the client\'s access was revoked in the meantime')
    return outcome === 'allowed' ? setDone(reply, outcome) : await showUsed(userCode, formToken, reply)
  }

  /** Asks for another code. @throws OAuthError `spentForm` if this form has allowed the request before */
  async function showUsed (userCode: string, { nonce }: FormToken, reply: FastifyReply) {
    if (await grants.isSpent(hashOpaqueToken(nonce))) throw errors.spentForm('the nonce is spent')
    return await showConsent(reply, userCode, null, null)
  }

  async function deny (userCode: string, request: FastifyRequest, reply: FastifyReply, now: Date, reason = 'Deny was pressed') {
    const denied = await deviceCodes.deny(hashOpaqueToken(userCode), now)
    if (denied === null) return await showConsent(reply, userCode, null, null)
    request.noteRefusal(errors.accessDenied(reason), denied.clientId)
    return setDone(reply, 'denied')
  }

  /** Who decides: the person that the page named, or one who signs in with it. */
  async function findDecider (
    form: { username: string | undefined, password: string | undefined },
    { userId }: FormToken,
    clientId: string,
    request: FastifyRequest,
    reply: FastifyReply,
    now: Date
  ): Promise<Decider | SignInFailure> {
    if (form.username === undefined && userId !== undefined) return await sameSession(request, userId, clientId)
    const starting = await beginSignIn(signIn, form, request, reply, now, clientId)
    if ('message' in starting) return starting
    const session = await starting.started
    if ('message' in session) return session
    const { grantEpoch: epoch, withheld } = starting.user
    return { ...session, epoch, withheld }
  }
}
export default device
