import type { FastifyReply } from 'fastify'
import type { Visit } from '../consent/decide.js'
import type { SignIn } from '../sign-in/sign-in.js'
import { beginSignIn } from './attempt-sign-in.js'
import { formBinding } from './form-binding.js'

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
