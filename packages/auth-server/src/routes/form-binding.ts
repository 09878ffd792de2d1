import type { FastifyRequest } from 'fastify'
import type { Binding } from '../consent/form-token.js'
import { oauthError } from '../oauth/errors.js'

/**
 * What a form that was sent must be bound to.
 * @param query of the authorization request, byte for byte, or what stands in its place
 * @throws OAuthError `cookiesOff` if the browser sent no cookie at all: it had one with the page
 */
export function formBinding ({ headers, browser }: FastifyRequest, query: string): Binding {
  if (headers.cookie === undefined) throw oauthError('cookiesOff', 'a form without any cookie')
  return { browser: browser ?? '', query }
}
