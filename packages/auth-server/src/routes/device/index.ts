import { acrsFrom, type Acr } from '@frontdesk/schemas/acr'
import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.js'
import { createRecordUse } from '../../consent/app-use.js'
import { createClientSessionStart } from '../../consent/client-session.js'
import { decide, recentSession, type Decision } from '../../consent/decide.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { isAdminScope } from '../../oauth/admin-scopes.js'
import { errors } from '../../oauth/errors.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import { ANY_ACR, knownAcrs } from '../../oauth/requested-acr.js'
import { isMcpServer } from '../../oauth/resource.js'
import { parseScope } from '../../oauth/scope.js'
import { createFindDevice } from '../../sign-in/device-limits.js'
import { hashOpaqueToken } from '../../sign-in/opaque-token.js'
import { readUserCode } from '../../sign-in/user-code.js'
import type { DeviceRequest } from '../../stores/grants/device-codes.js'
import type { Stores } from '../../stores/stores.js'
import { pages } from '../responses.js'
import { UPSTREAM_DECISION } from '../sign-in/step-form.js'
import { createVisit, decisionForm, readDecision, verifyPageToken, type SignInSteps } from '../visit.js'
import { allowDevice, type RequestedDevice } from './allow-device.js'
import { createDevicePages, queryFor } from './device-pages.js'

const DECISIONS = ['continue', 'allow', 'deny', 'switch'] as const

const DeviceForm = decisionForm(
  [...DECISIONS, UPSTREAM_DECISION],
  'The button: continue with the code, allow, deny, or sign in as another user or with the upstream provider.',
  { user_code: Type.String({ description: 'The code shown on the device.' }) }
)

/** A device requires no certain user. Administration needs the level of the setting. */
function signInFor (
  { acrValues, maxAge }: DeviceRequest, scope: readonly string[], adminAcr: Acr | undefined
): Pick<RequestedDevice, 'interaction' | 'requiredSubjects'> {
  const acrs = adminAcr !== undefined && scope.some(isAdminScope) ? acrsFrom(adminAcr) : knownAcrs(acrValues.split(' '))
  return { interaction: { reauthenticate: false, maxAge: maxAge ?? undefined, ...ANY_ACR, acrs }, requiredSubjects: async () => [] }
}

interface Options {
  config: Pick<Config, 'issuer' | 'adminAcr' | 'refreshTokenTtl' | 'mcpResources'>
  stores: Pick<Stores, 'clients' | 'clientSessions' | 'deviceCodes' | 'grants' | 'registrations' | 'throttles'>
  signInSteps: SignInSteps
  formKeys: FormKeys
}

/** `/device`: a user enters the code that a device shows, and allows or denies its request (RFC 8628 §3.3). */
const device: FastifyPluginAsyncTypebox<Options> = async function device (fastify, { config, stores, signInSteps, formKeys }) {
  const { issuer } = config
  const { deviceCodes, grants } = stores
  const parts = { ...stores, recordUse: createRecordUse(stores), clientSessions: createClientSessionStart(stores.clientSessions, config) }
  const schema = { tags: ['Device page'], response: pages }
  const findDevice = createFindDevice(deviceCodes, stores.throttles)
  const path = `${fastify.prefix}/device`
  const { showEntry, showUnknown, showConsent, showStep, answerEnrolling, takeDone, showDone, setDone } =
    createDevicePages({ path, formKeys, ...signInSteps })
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
    },
    preHandler: async (request, reply) => await answerEnrolling(reply, readUserCode(single(request.form, 'user_code') ?? ''))
  }, async (request, reply) => {
    const form = readDecision(request.form, DECISIONS)
    const userCode = readUserCode(single(request.form, 'user_code') ?? '')
    const { decision: pressed } = form
    if (pressed === 'continue') return await enter(reply, userCode, form.transaction)
    const visit = createVisit(signInSteps, reply, queryFor(userCode))
    const decision = await decide(formKeys, { ...form, decision: pressed }, () => findPending(userCode, visit.now), visit)
    switch (decision.outcome) {
      case 'allow': return await allow(reply, decision, visit.now)
      case 'ask': return await showConsent(reply, decision.requested, decision.user, decision)
      case 'factor': case 'unenrolled': return await showStep(reply, userCode, decision)
      case 'signed out': return await showAgain(reply, userCode)
      case 'gone': return await showUsed(reply, userCode, decision.nonce)
      case 'refused': return await deny(reply, userCode, decision.error.message)
      default: return await deny(reply, userCode)
    }
  })

  async function findPending (userCode: string, now: Date) {
    return await describe(userCode, await deviceCodes.find(hashOpaqueToken(userCode), now))
  }

  async function describe (userCode: string, found: DeviceRequest | null): Promise<RequestedDevice | null> {
    const client = found === null ? null : await stores.clients.find(found.clientId)
    if (found === null || client === null) return null
    const scope = parseScope(found.scope)
    const isAssistant = isMcpServer(found.audience, config)
    return { userCode, request: found, client, scope, isAssistant, ...signInFor(found, scope, config.adminAcr) }
  }

  async function enter (reply: FastifyReply, userCode: string, transaction: string) {
    const { request } = reply
    verifyPageToken(request, formKeys, queryFor(undefined), transaction)
    const found = await findDevice(userCode, request.ip, fastify.clock.now())
    if (found !== null && 'retryAfter' in found) {
      const error = errors.tooManyUserCodes('too many wrong user codes')
      request.noteRefusal(error)
      return await showEntry(reply.header('retry-after', found.retryAfter), userCode, error)
    }
    if (found === null) request.noteRefusal(errors.unknownUserCode('no pending request has this user code'))
    const requested = await describe(userCode, found)
    if (requested === null) return await showUnknown(reply, userCode)
    return await showConsent(reply, requested, recentSession(requested, await request.session(), fastify.clock.now()))
  }

  async function allow (reply: FastifyReply, decision: Extract<Decision<RequestedDevice>, { outcome: 'allow' }>, now: Date) {
    const { requested, decider, nonce } = decision
    const session = await decider.started
    if ('message' in session) return await showConsent(reply, requested, null, { failure: session })
    const outcome = await allowDevice(parts, reply.request, decision, now)
    if (outcome === 'ended') throw errors.endedForm('the session or the client\'s access was revoked in the meantime')
    return outcome === 'allowed' ? setDone(reply, outcome) : await showUsed(reply, requested.userCode, nonce)
  }

  async function showAgain (reply: FastifyReply, userCode: string) {
    const requested = await findPending(userCode, fastify.clock.now())
    return requested === null ? await showUnknown(reply, userCode) : await showConsent(reply, requested, null)
  }

  /** Asks for another code. @throws OAuthError `spentForm` if this form has already allowed the request */
  async function showUsed (reply: FastifyReply, userCode: string, nonce: string) {
    if (await grants.isSpent(hashOpaqueToken(nonce))) throw errors.spentForm('the nonce is spent')
    return await showUnknown(reply, userCode)
  }

  async function deny (reply: FastifyReply, userCode: string, reason = 'Deny was pressed') {
    const denied = await deviceCodes.deny(hashOpaqueToken(userCode), fastify.clock.now())
    if (denied === null) return await showUnknown(reply, userCode)
    reply.request.noteRefusal(errors.accessDenied(reason), denied.clientId)
    return setDone(reply, 'denied')
  }
}
export default device
