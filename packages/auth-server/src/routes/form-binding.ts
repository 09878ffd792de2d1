import type { FastifyRequest } from 'fastify'
import type { Binding } from '../consent/form-token.js'
import { errors } from '../oauth/errors.js'

/**
 * What the form token of a submitted form must be bound to.
 * @param query of the authorization request, byte for byte, or a constant for other forms
 * @throws OAuthError `cookiesOff` if the browser sent no cookie at all: it had one with the page
 */
export function formBinding ({ headers, browser }: FastifyRequest, query: string): Binding {
  if (headers.cookie === undefined) throw errors.cookiesOff('a form without any cookie')
  return { browser: browser ?? '', query }
}
