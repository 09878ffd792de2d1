import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { after, FLASH_TTL, SESSION_TTL } from '../lifetimes.js'
import { cookiesOf, readOpaqueCookie } from '../input/cookies.js'
import { userAgentOf } from '../input/user-agent.js'
import type { Authentication } from '../oauth/authentication.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { FoundSession, Sessions } from '../stores/sessions/sessions.js'
import type { User } from '../stores/users/users.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The browser's cookie that form tokens are bound to; `undefined` without one. */
    readonly browser: string | undefined
    /**
     * The session of the browser; `null` without one. Updates `lastSeen` asynchronously.
     * @param clientId the request's client, for the epoch
     */
    session: (clientId?: string) => Promise<FoundSession | null>
    /** Language tag of the signed-in user; `null`: none; `undefined`: the session was not looked up. */
    locale: string | null | undefined
  }
  interface FastifyReply {
    /** Sets the browser's cookie for form tokens, if it has none. Nothing is stored. */
    rememberBrowser: () => string
    /** Starts a session with a new id after a password was verified; `null` if it was changed, or access revoked since. */
    signIn: (user: User, authentication: Authentication) => Promise<Session | null>
    /** Ends the session. Returns its user id; `null` without one. */
    signOut: () => Promise<string | null>
    /** Sets a flash message for the next page, in a cookie, so that links cannot forge it. */
    setFlash: (word: string) => void
    /** Takes the flash message; `undefined` without one. */
    takeFlash: () => string | undefined
  }
}

/** Precision of `lastSeen`, in milliseconds. */
const SEEN_INTERVAL_MS = 5 * 60_000

/** The cookies of a browser: for form tokens, the session and a flash message (RFC 6265bis, `__Host-`). */
export default fp<{ sessions: Sessions, issuer: string }>(async function session (fastify, { sessions, issuer }) {
  await fastify.register(cookie)
  const { name, attributes } = cookiesOf(issuer)
  if (!attributes.secure) {
    fastify.log.warn('ISSUER is plain http: cookies have neither Secure nor the __Host- prefix. Use this only on localhost.')
  }
  const [transactionCookie, sessionCookie, flashCookie] = [name('transaction'), name('session'), name('flash')]

  fastify.decorateRequest('browser', { getter (this: FastifyRequest) { return readOpaqueCookie(this, transactionCookie) } })
  fastify.decorateRequest('locale', undefined)
  fastify.decorateRequest('session', async function session (this: FastifyRequest, clientId?: string) {
    const id = readOpaqueCookie(this, sessionCookie)
    this.locale = null
    if (id === undefined) return null
    const now = fastify.clock.now()
    const session = await sessions.find(hashOpaqueToken(id), now, clientId)
    this.locale = session?.locale ?? null
    const seenBefore = new Date(now.getTime() - SEEN_INTERVAL_MS)
    if (session !== null && session.lastSeen < seenBefore) {
      sessions.see(session.id, now, seenBefore).catch(err => this.log.warn({ err }, 'could not record that a session was seen'))
    }
    return session
  })
  fastify.decorateReply('rememberBrowser', function rememberBrowser (this: FastifyReply) {
    if (this.request.browser !== undefined) return this.request.browser
    const value = randomOpaqueToken()
    this.setCookie(transactionCookie, value, attributes)
    return value
  })
  fastify.decorateReply('signIn', async function signIn (this: FastifyReply, user: User, { authTime, amr }: Authentication) {
    const before = await end(this, user.id)
    const id = randomOpaqueToken()
    const idHash = hashOpaqueToken(id)
    const userAgent = userAgentOf(this.request)
    const sid = before?.userId === user.id ? before.sid : null
    const [lastSeen, expiresAt] = [fastify.clock.now(), after(authTime, SESSION_TTL)]
    if (!await sessions.add({ idHash, user, authTime, amr, lastSeenAt: lastSeen, expiresAt, userAgent, sid })) return null
    this.setCookie(sessionCookie, id, attributes)
    return { id: idHash, sid: sid ?? idHash, userId: user.id, username: user.username, authTime, amr, lastSeen }
  })
  fastify.decorateReply('signOut', async function signOut (this: FastifyReply) {
    return (await end(this))?.userId ?? null
  })
  async function end (reply: FastifyReply, successor?: string) {
    const id = readOpaqueCookie(reply.request, sessionCookie)
    const ended = id === undefined ? null : await sessions.remove(hashOpaqueToken(id), successor)
    reply.clearCookie(sessionCookie, attributes)
    return ended
  }
  fastify.decorateReply('setFlash', function setFlash (this: FastifyReply, word: string) {
    this.setCookie(flashCookie, word, { ...attributes, maxAge: FLASH_TTL })
  })
  fastify.decorateReply('takeFlash', function takeFlash (this: FastifyReply) {
    const word = this.request.cookies[flashCookie]
    if (word !== undefined) this.clearCookie(flashCookie, attributes)
    return word
  })
}, { name: 'session', fastify: '5.x' })
