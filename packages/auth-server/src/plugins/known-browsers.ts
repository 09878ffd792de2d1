import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { cookiesOf } from '../input/cookies.js'
import { knownBrowserName, userAgentOf } from '../input/user-agent.js'
import type { Secrets } from '../keys/seal.js'
import { KNOWN_BROWSER_TTL } from '../lifetimes.js'
import { signedIn } from '../mail/account-notices.js'
import type { Notify } from '../mail/notices.js'
import { isSelfRegistered } from '../oauth/identity.js'
import { createEmailLimit } from '../sign-in/email-limit.js'
import { createSeeBrowser } from '../sign-in/known-browsers.js'
import type { Stores } from '../stores/stores.js'
import type { User } from '../stores/users/users.js'

/** A sign-in. `clientId`: the request's client, if known. */
interface SignIn { readonly clientId: string | undefined }

/** A user of a browser that was unknown. `signIn`: see `seeBrowser`. */
interface NewBrowser { readonly userId: string, readonly signIn: SignIn | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    /** A user who has just signed in with a browser that they had not used; `null`: none. */
    newBrowser: NewBrowser | null
  }
  interface FastifyReply {
    /**
     * Remembers in a cookie that a user has signed in with this browser. If it is a new one, emails the user after the response, unless it
     * is the first sign-in ever. Does nothing if email is off.
     * @param signIn `undefined`: the user has just set the password with this browser, and another email says so
     */
    seeBrowser: (user: Pick<User, 'id' | 'epoch'>, signIn?: SignIn) => void
  }
}

/** Maximum emails about new browsers to one user: three a day. */
const EMAILS_PER_USER = [{ points: 3, duration: 24 * 60 * 60 }]

interface Options {
  readonly stores: Pick<Stores, 'clients' | 'throttles' | 'users'>
  readonly config: Secrets & { readonly issuer: string }
  readonly notify: Notify
}

/** Emails users about sign-ins with new browsers. */
export default fp<Options>(async function knownBrowsers (fastify, { stores, config, notify }) {
  const { name, attributes } = cookiesOf(config.issuer)
  const cookie = name('browsers')
  const see = createSeeBrowser(config)
  const limit = createEmailLimit(stores.throttles, 'browser mail', EMAILS_PER_USER)
  const isOn = fastify.outbox !== undefined

  fastify.decorateRequest('newBrowser', null)
  fastify.decorateReply('seeBrowser', function seeBrowser (
    this: FastifyReply, user: Pick<User, 'id' | 'epoch'>, signIn?: SignIn
  ) {
    if (!isOn) return
    const { isKnown, cookie: value } = see(this.request.cookies[cookie], user)
    this.setCookie(cookie, value, { ...attributes, maxAge: KNOWN_BROWSER_TTL })
    if (!isKnown) this.request.newBrowser = { userId: user.id, signIn }
  })
  // After the response, so that a sign-in takes the same time with and without an email.
  fastify.addHook('onResponse', async request => {
    if (request.newBrowser !== null) await announce(request, request.newBrowser)
  })

  async function announce (request: FastifyRequest, { userId, signIn }: NewBrowser) {
    try {
      const [at, browser] = [fastify.clock.now(), knownBrowserName(userAgentOf(request))]
      const isFirst = await stores.users.noteSignIn(userId)
      if (isFirst || signIn === undefined || await limit.ofUser(userId) > 0) return
      await notify(userId, signedIn({ at, browser, app: await nameOf(signIn) }))
    } catch (err) {
      request.log.error({ err, userId }, 'an email about a new browser was not sent')
    }
  }

  /** `undefined`: the name of an app that registered itself could be an attacker's text. */
  async function nameOf ({ clientId }: SignIn): Promise<string | undefined> {
    const client = clientId === undefined ? null : await stores.clients.find(clientId)
    return client === null || isSelfRegistered(client) ? undefined : client.name
  }
}, { name: 'known-browsers', fastify: '5.x', dependencies: ['clock', 'outbox', 'session'] })
