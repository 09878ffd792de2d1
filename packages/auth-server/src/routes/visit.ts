import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visit } from '../consent/decide.js'
import type { Binding } from '../consent/form-token.js'
import { errors } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'
import type { SignIn } from '../sign-in/sign-in.js'
import { beginSignIn } from './attempt-sign-in.js'

/** The browser that sends a form, for decisions. @param query what the form is bound to, see {@link formBinding} */
export function createVisit (signIn: SignIn, reply: FastifyReply, query: string): Visit {
  const { request, server } = reply
  const now = server.clock.now()
  return {
    now,
    binding: formBinding(request, query),
    session: clientId => request.session(clientId),
    signIn: (form, clientId) => beginSignIn({ signIn, reply, now }, form, clientId),
    async signOut () {
      const userId = await reply.signOut()
      if (userId !== null) request.audit({ event: 'sign-out', outcome: 'done', userId })
    }
  }
}

/**
 * What the form token of a submitted form must be bound to.
 * @param query of the authorization request, byte for byte, or a constant for other forms
 * @throws OAuthError `cookiesOff` if the browser sent no cookie at all: it had one with the page
 */
export function formBinding ({ headers, browser }: FastifyRequest, query: string): Binding {
  if (headers.cookie === undefined) throw errors.cookiesOff('a form without any cookie')
  return { browser: browser ?? '', query }
}

/** Reads a form with a decision, its button. @throws OAuthError `invalidForm` if it has none, or a field twice */
export function readDecision<D extends string> (form: Parameters, decisions: readonly D[]) {
  try {
    const pressed = single(form, 'decision')
    const decision = decisions.find(it => it === pressed)
    const fields = { transaction: single(form, 'transaction'), username: single(form, 'username'), password: single(form, 'password') }
    if (decision === undefined) throw errors.invalidForm('no decision')
    return { ...fields, transaction: fields.transaction ?? '', decision }
  } catch (cause) {
    throw errors.invalidForm(String(cause))
  }
}
