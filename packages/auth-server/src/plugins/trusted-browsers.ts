import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { cookiesOf, readOpaqueCookie } from '../input/cookies.js'
import { userAgentOf } from '../input/user-agent.js'
import { after, TRUSTED_BROWSER_TTL } from '../lifetimes.js'
import { hashOpaqueToken, randomOpaqueToken } from '../sign-in/opaque-token.js'
import type { TrustedBrowsers } from '../stores/users/trusted-browsers.js'
import type { VerifiedUser } from '../stores/users/verified-user.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id under which a user may trust this browser; `undefined`: they do not. */
    trustedBrowserId: (userId: string) => string | undefined
    /** Whether a user trusts this browser, so that no factor is required. Records the use. */
    isTrustedBy: (userId: string) => Promise<boolean>
  }
  interface FastifyReply {
    /**
     * Trusts the browser after a factor was used: {@link TRUSTED_BROWSER_TTL}. Returns `false` if the user has no factor, or the password
     * was changed or access revoked since it was verified.
     */
    trustBrowser: (user: VerifiedUser) => Promise<boolean>
  }
}

/** Characters of the digest of a user id in the cookie's name: users who share a browser have a cookie each. */
const DIGEST_LENGTH = 16

/** The cookies of trusted browsers. */
export default fp<{ trustedBrowsers: TrustedBrowsers, issuer: string }>(async function trusted (fastify, { trustedBrowsers, issuer }) {
  const { name, attributes } = cookiesOf(issuer)
  const cookieOf = (userId: string) => name(`trusted-${hashOpaqueToken(userId).slice(0, DIGEST_LENGTH)}`)

  fastify.decorateRequest('trustedBrowserId', function trustedBrowserId (this: FastifyRequest, userId: string) {
    const value = readOpaqueCookie(this, cookieOf(userId))
    return value && hashOpaqueToken(value)
  })
  fastify.decorateRequest('isTrustedBy', async function isTrustedBy (this: FastifyRequest, userId: string) {
    const id = this.trustedBrowserId(userId)
    return id !== undefined && await trustedBrowsers.use(userId, id, fastify.clock.now())
  })
  fastify.decorateReply('trustBrowser', async function trustBrowser (this: FastifyReply, user: VerifiedUser) {
    const [value, createdAt] = [randomOpaqueToken(), fastify.clock.now()]
    const expiresAt = after(createdAt, TRUSTED_BROWSER_TTL)
    const browser = { id: hashOpaqueToken(value), userAgent: userAgentOf(this.request), createdAt, expiresAt }
    if (!await trustedBrowsers.add(user, browser)) return false
    this.setCookie(cookieOf(user.id), value, { ...attributes, maxAge: TRUSTED_BROWSER_TTL })
    return true
  })
}, { name: 'trusted-browsers', fastify: '5.x', dependencies: ['clock', 'session'] })
