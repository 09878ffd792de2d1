import type { FastifyPluginAsync } from 'fastify'

/**
 * `GET /.well-known/change-password`: redirects password managers to the form (W3C, A Well-Known URL for Changing Passwords). It
 * is at the origin, whatever the path of the issuer, and so in no OpenAPI document.
 */
const changePassword: FastifyPluginAsync<{ basePath: string }> = async function changePassword (fastify, { basePath }) {
  fastify.get('/.well-known/change-password', { schema: { hide: true } }, async (request, reply) =>
    reply.redirect(`${basePath}/account#change-password`, 303))
}
export default changePassword
