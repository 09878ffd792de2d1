import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDeepStrictEqual } from 'node:util'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { RequiredSignIn } from '../../admin/sensitive-sign-in.js'
import type { Config } from '../../config.js'
import { cookiesOf, readOpaqueCookie } from '../../input/cookies.js'
import { CONSOLE_IDLE_TTL } from '../../lifetimes.js'
import { acrOf } from '../../oauth/acr.js'
import { CONSOLE_ID } from '../../oauth/console-client.js'
import { single, type Parameters } from '../../oauth/parameters.js'
import { codeChallengeOf } from '../../oauth/pkce.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../sign-in/opaque-token.js'
import type { ConsoleSession } from '../../stores/sessions/console-sessions.js'
import type { Stores } from '../../stores/stores.js'

/** A form to submit again after the sign-in; without its action and fields if they are too long for a cookie. */
export interface Draft { readonly action: string, readonly fields: Parameters, readonly userId: string | undefined }

/** A sign-in in progress, in a cookie of the browser. */
interface Pending {
  readonly state: string
  readonly verifier: string
  /** Path of the page that follows. */
  readonly to: string
  /** Accepted values of `acr`, separated by spaces; `undefined`: any. */
  readonly acrValues?: string | undefined
  readonly draft?: Draft | undefined
}

/** How long a sign-in can take, and a draft waits for its page, in seconds. */
const PENDING_TTL = 10 * 60

/** How often the last use of a session is written, in milliseconds. */
const SEEN_INTERVAL_MS = 60_000

/** Maximum length of the sign-in's cookie, in characters: browsers drop cookies of 4 KB. */
const MAX_COOKIE = 3_000

/** Maximum length of its value before compression. */
const MAX_DECODED = 100_000

/** Path of the page that follows a sign-in, or why there is none. */
type Completed = { readonly to: string } | { readonly failure: 'incomplete' | 'weak' }

interface Options { readonly config: Config, readonly stores: Stores, readonly home: string }

/** The console as an app of this server: it signs in with a code and PKCE (RFC 7636), and has its own session. */
export function createSignIn (fastify: FastifyInstance, { config: { issuer, adminUrl }, stores, home }: Options) {
  const { name, attributes } = cookiesOf(adminUrl)
  const [sessionCookie, pendingCookie, draftCookie] = [name('console'), name('console-sign-in'), name('console-draft')]
  const callback = `${adminUrl}/admin/callback`
  const { consoleSessions } = stores

  /** Ends the session of the browser. */
  async function end (reply: FastifyReply): Promise<void> {
    const id = readOpaqueCookie(reply.request, sessionCookie)
    if (id !== undefined) await consoleSessions.end(hashOpaqueToken(id))
    reply.clearCookie(sessionCookie, attributes)
  }

  return {
    /** Registers the console as a client. */
    async register (): Promise<void> {
      const client = {
        id: CONSOLE_ID,
        name: 'Administration console',
        callbacks: [callback],
        grantTypes: ['authorization_code'] as const,
        // It has no secret, so that its codes cannot be exchanged for tokens.
        tokenEndpointAuthMethod: 'client_secret_basic',
        allowedScope: '',
        defaultScope: '',
        implicit: 'off',
        demo: false
      } as const
      const found = await stores.clients.find(CONSOLE_ID)
      if (found === null || !isDeepStrictEqual({ ...found, ...client }, found)) {
        await stores.clients.put({ ...client, grantTypes: [...client.grantTypes] })
      }
    },

    /** Redirects to the sign-in. @param required of it @param draft form to show again */
    begin (
      reply: FastifyReply,
      to: string,
      { required = { max_age: String(CONSOLE_IDLE_TTL) }, draft }: { required?: RequiredSignIn, draft?: Draft | undefined } = {}
    ): FastifyReply {
      const pending: Pending = { state: randomOpaqueToken(), verifier: randomOpaqueToken(), to, acrValues: required.acr_values, draft }
      const whole = encode(pending)
      // A long form can be short when it is compressed.
      const isKept = whole.length <= MAX_COOKIE && decode(whole) !== null
      const value = isKept ? whole : encode({ ...pending, draft: draft && { ...draft, action: '', fields: {} } })
      reply.setCookie(pendingCookie, value, { ...attributes, maxAge: PENDING_TTL })
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: CONSOLE_ID,
        redirect_uri: callback,
        state: pending.state,
        code_challenge: codeChallengeOf(pending.verifier),
        code_challenge_method: 'S256',
        ...required
      })
      return reply.header('cache-control', 'no-store').redirect(`${issuer}/authorize?${query}`, 303)
    },

    /** Starts a session with the response to {@link begin}. */
    async complete (reply: FastifyReply, answer: Parameters): Promise<Completed> {
      const pending = decode<Pending>(reply.request.cookies[pendingCookie])
      reply.clearCookie(pendingCookie, attributes)
      const code = single(answer, 'code')
      if (pending === null || code === undefined) return { failure: 'incomplete' }
      if (single(answer, 'state') !== pending.state || single(answer, 'iss') !== issuer) return { failure: 'incomplete' }
      const id = randomOpaqueToken()
      const given = { codeHash: hashOpaqueToken(code), codeChallenge: codeChallengeOf(pending.verifier), idHash: hashOpaqueToken(id) }
      const amr = await consoleSessions.start(given, fastify.clock.now())
      if (amr === null) return { failure: 'incomplete' }
      await end(reply)
      reply.setCookie(sessionCookie, id, attributes)
      const { to, acrValues, draft } = pending
      // A user without a second factor signs in without one; without this, the form would lead here forever.
      if (acrValues !== undefined && !acrValues.split(' ').includes(acrOf(amr))) return { failure: 'weak' }
      if (draft !== undefined) reply.setCookie(draftCookie, encode({ to, draft }), { ...attributes, maxAge: PENDING_TTL })
      return { to: to === home || to.startsWith(`${home}/`) || to.startsWith(`${home}?`) ? to : home }
    },

    /** The session of the browser; `null` without one. */
    async session (request: FastifyRequest): Promise<ConsoleSession | null> {
      const id = readOpaqueCookie(request, sessionCookie)
      if (id === undefined) return null
      const now = fastify.clock.now()
      const session = await consoleSessions.find(hashOpaqueToken(id), now)
      if (session !== null && now.getTime() - session.lastSeen.getTime() > SEEN_INTERVAL_MS) await consoleSessions.see(session.id, now)
      return session
    },

    /** Takes the form that this page showed the same user before the sign-in; `undefined` without one. */
    takeDraft (reply: FastifyReply, userId: string): Draft | undefined {
      const kept = decode<{ to: string, draft: Draft }>(reply.request.cookies[draftCookie])
      if (kept === null) return undefined
      reply.clearCookie(draftCookie, attributes)
      return kept.to === reply.request.url && kept.draft.userId === userId ? kept.draft : undefined
    },

    /** Signs the browser out, of the console and of this server. */
    async signOut (reply: FastifyReply): Promise<void> {
      await end(reply)
      await reply.signOut()
    }
  }
}

function encode (value: object): string {
  return deflateRawSync(JSON.stringify(value)).toString('base64url')
}

/** The value of a cookie that this console has set. */
function decode<T> (text: string | undefined): T | null {
  if (text === undefined) return null
  try {
    // as: only this console sets the cookie.
    return JSON.parse(inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: MAX_DECODED }).toString()) as T
  } catch {
    return null
  }
}
