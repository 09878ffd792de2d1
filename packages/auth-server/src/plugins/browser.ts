import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hashOpaque, randomOpaque } from '../sign-in/opaque.js'
import type { FoundSession, Session, Sessions } from '../stores/sessions.js'
import type { User } from '../stores/users.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The value that the browser's consent pages are bound to; `undefined` if it has none. */
    readonly browser: string | undefined
    /** Who is signed in. @param clientId of the client that asks, for the epoch */
    session: (clientId?: string) => Promise<FoundSession | null>
  }
  interface FastifyReply {
    /** Gives the browser a value for its consent pages if it has none. Nothing is stored. */
    rememberBrowser: () => string
    /** Signs in a person whose password was verified, with a new session id; `null` if it has changed or their access has ended meanwhile. */
    signIn: (user: User, now: Date) => Promise<Session | null>
    /** Ends the session; says whose it was, `null` if nobody was signed in. */
    signOut: () => Promise<string | null>
  }
}

/** How long somebody stays signed in, in milliseconds. */
const SESSION_TTL = 8 * 60 * 60_000
/** base64url of 256 bits; anything else is no cookie of ours. */
const OPAQUE = /^[\w-]{43}$/

/** The two cookies of a browser: its transactions and its session (RFC 6265bis, `__Host-`). */
export default fp<{ sessions: Sessions, issuer: string }>(async function browser (fastify, { sessions, issuer }) {
  await fastify.register(cookie)
  const { protocol, port } = new URL(issuer)
  const secure = protocol === 'https:'
  if (!secure) fastify.log.warn('ISSUER is plain http: cookies go without Secure and the __Host- prefix. Fit for loopback only.')
  // Cookies know no ports: without it, two servers on one host would take each other's.
  const name = (of: string) => secure ? `__Host-${of}` : `${of}-${port}`
  const [transactionCookie, sessionCookie] = [name('transaction'), name('session')]
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const

  fastify.decorateRequest('browser', { getter (this: FastifyRequest) { return read(this, transactionCookie) } })
  fastify.decorateRequest('session', async function session (this: FastifyRequest, clientId?: string) {
    const id = read(this, sessionCookie)
    return id === undefined ? null : await sessions.find(hashOpaque(id), fastify.clock.now(), clientId)
  })
  fastify.decorateReply('rememberBrowser', function rememberBrowser (this: FastifyReply) {
    if (this.request.browser !== undefined) return this.request.browser
    const value = randomOpaque()
    this.setCookie(transactionCookie, value, attributes)
    return value
  })
  fastify.decorateReply('signIn', async function signIn (this: FastifyReply, user: User, now: Date) {
    await this.signOut()
    const id = randomOpaque()
    if (!await sessions.add({ idHash: hashOpaque(id), user, authTime: now, expiresAt: new Date(now.getTime() + SESSION_TTL) })) return null
    this.setCookie(sessionCookie, id, attributes)
    return { userId: user.id, username: user.username, authTime: now }
  })
  fastify.decorateReply('signOut', async function signOut (this: FastifyReply) {
    const id = read(this.request, sessionCookie)
    const userId = id === undefined ? null : await sessions.remove(hashOpaque(id))
    this.clearCookie(sessionCookie, attributes)
    return userId
  })
}, { name: 'browser', fastify: '5.x' })

function read (request: FastifyRequest, name: string): string | undefined {
  const value = request.cookies[name]
  return value !== undefined && OPAQUE.test(value) ? value : undefined
}
