import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** `GET /.well-known/change-password`: leads password managers to the form (W3C, A Well-Known URL for Changing Passwords). At the origin, whatever the path of the issuer. */
const changePassword: FastifyPluginAsyncTypebox<{ basePath: string }> = async function changePassword (fastify, { basePath }) {
  fastify.get('/.well-known/change-password', {
    schema: { operationId: 'leadToPassword', summary: 'Lead to the form that changes the password', tags: ['Account page'], response: { 303: Type.Null({ description: 'To the account page.' }) } }
  }, async (request, reply) => reply.redirect(`${basePath}/account#change-password`, 303))
}
export default changePassword
