import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { SESSION_TTL } from '../../lifetimes.js'
import type { AuthorizationRequest } from '../../oauth/authorization-request.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import type { UpstreamProvider } from '../../sign-in/upstream-provider.js'
import type { Purpose, RoundTrips } from '../../sign-in/upstream-round-trip.js'
import type { StepForm } from '../sign-in/step-form.js'
import { verifyPageToken } from '../visit.js'

/** The start of sign-ins with the upstream provider: both redirect to it. */
export interface UpstreamStart {
  /** Answers the button of a sign-in page. @throws OAuthError `foreignForm`, `expiredForm`, `upstreamUnavailable` */
  signIn (reply: FastifyReply, form: StepForm): Promise<FastifyReply>
  /** Connects the account there. @param page where the browser returns @throws OAuthError `upstreamUnavailable` */
  connect (reply: FastifyReply, page: string, user: NonNullable<Purpose['connects']>): Promise<FastifyReply>
}

/** A session does not begin with a sign-in that is older than it may get. */
const USUAL = { maxAge: SESSION_TTL, isStrict: false }

/** Makes {@link UpstreamStart}. */
export function createUpstreamStart (
  { roundTrips, provider, formKeys }: { roundTrips: RoundTrips, provider: UpstreamProvider, formKeys: FormKeys }
): UpstreamStart {
  async function begin (reply: FastifyReply, purpose: Purpose): Promise<FastifyReply> {
    const trip = await roundTrips.begin(purpose, reply.rememberBrowser(), reply.server.clock.now())
    if (trip === null) throw errors.uriTooLong('the request is too long for a sign-in with the upstream provider')
    const { language } = await reply.translator()
    const url = await provider.authorizationUrl(trip, language)
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 303)
  }

  return {
    async signIn (reply, { action, query, userCode }) {
      const { request } = reply
      verifyPageToken(request, formKeys, query, single(request.form, 'transaction'))
      const page = userCode === undefined ? action : `${action}?user_code=${encodeURIComponent(userCode)}`
      return await begin(reply, { page, ...requiredSignIn(request) })
    },
    connect: async (reply, page, connects) => await begin(reply, { page, connects, ...USUAL })
  }
}

/** The sign-in at the provider that the authorization request requires, if there is one. */
function requiredSignIn (request: FastifyRequest): Omit<Purpose, 'page'> {
  // as: only the pages of apps in browsers have one.
  const { client, interaction } = (request.authorization as AuthorizationRequest | undefined) ?? {}
  const maxAge = interaction?.reauthenticate === true ? 0 : interaction?.maxAge
  if (maxAge === undefined) return { ...USUAL, clientId: client?.id }
  return { clientId: client?.id, maxAge: Math.min(maxAge, SESSION_TTL), isStrict: true }
}
