import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { message } from '../../languages/translator.js'
import { parseParameters, single } from '../../oauth/parameters.js'
import { describeDestination } from '../../oauth/describe-destination.js'
import type { Stores } from '../../stores/stores.js'
import type { ReadIdToken } from '../../tokens/read-id-token.js'
import { pages } from '../responses.js'
import { issuePageToken, verifyPageToken } from '../visit.js'
import { readEndSession, type EndSession } from './read-request.js'

const EndSessionQuery = Type.Object({
  id_token_hint: Type.Optional(Type.String({ description: 'The user\'s last ID token. With it, sign-out needs no confirmation.' })),
  client_id: Type.Optional(Type.String({ description: 'Identifier of the app, unless there is an ID token.' })),
  post_logout_redirect_uri: Type.Optional(Type.String({ description: 'Where to redirect afterwards. Identical to a registered address.' })),
  state: Type.Optional(Type.String({ description: 'Returned unchanged.' }))
})

interface Options { issuer: string, stores: Pick<Stores, 'clients' | 'clientSessions'>, formKeys: FormKeys, readIdToken: ReadIdToken }

/** `/end-session`: a client signs its user out of this server (OpenID Connect RP-Initiated Logout). */
const endSession: FastifyPluginAsyncTypebox<Options> = async function endSession (
  fastify,
  { issuer, stores: { clients, clientSessions }, formKeys, readIdToken }
) {
  const schema = {
    tags: ['OpenID Connect'],
    response: { ...pages, 303: Type.Null({ description: 'Redirects to the address that the app requested.' }) }
  }
  // Requests are checked by the rules of the specification; the schemas document them.
  fastify.setValidatorCompiler(() => () => true)

  fastify.get('/end-session', {
    schema: { ...schema, operationId: 'endSession', summary: 'Sign out and return to the app', querystring: EndSessionQuery }
  }, async (request, reply) => {
    const query = queryOf(request.url)
    const requested = await readEndSession(parseParameters(query), { clients, readIdToken })
    const session = await request.session()
    // The ID token proves that the client has signed this user in. Without it, the link can come from any page.
    if (session === null || requested.hasSignedIn(session.userId)) return await signOut(reply, requested)
    const transaction = issuePageToken(reply, formKeys, query, { userId: session.userId })
    return await reply.page('sign-out', {
      title: message('sign-out.title'),
      action: `${fastify.prefix}/end-session?${query}`,
      username: session.username,
      clientName: requested.clientName,
      transaction
    }, { leadsOutside: requested.target !== null })
  })

  fastify.post('/end-session', {
    schema: {
      ...schema,
      operationId: 'endSessionByForm',
      summary: 'Sign out with a form',
      consumes: ['application/x-www-form-urlencoded'],
      body: EndSessionQuery
    }
  }, async (request, reply) => {
    const transaction = single(request.form, 'transaction')
    if (transaction === undefined) {
      // A client's form: browsers send the session cookie only with the redirect.
      const sent = Object.keys(EndSessionQuery.properties).flatMap(name => {
        const value = single(request.form, name)
        return value === undefined ? [] : [[name, value] as [string, string]]
      })
      return reply.header('cache-control', 'no-store').redirect(`${issuer}/end-session?${new URLSearchParams(sent)}`, 303)
    }
    const query = queryOf(request.url)
    verifyPageToken(request, formKeys, query, transaction)
    return await signOut(reply, await readEndSession(parseParameters(query), { clients, readIdToken }))
  })

  async function signOut (reply: FastifyReply, { target, isUnchecked, clientName, sid }: EndSession) {
    const here = await reply.signOut()
    // The browser can have lost its cookie with a response that did not arrive.
    const named = sid === null ? null : await clientSessions.end(sid)
    for (const userId of new Set([here, named])) if (userId !== null) reply.request.audit({ event: 'sign-out', outcome: 'done', userId })
    const title = message('sign-out.done')
    if (target === null) return await reply.page('signed-out', { title })
    // As with errors (RFC 9700 §4.11.2): a self-registered client must not turn this server into an open redirector.
    if (isUnchecked) return await reply.page('leave-signed-out', { title, clientName, target, destination: describeDestination(target) })
    return reply.code(303).headers({ location: target, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).send()
  }
}
export default endSession
