import { isUnavailable } from '@frontdesk/database/unavailable'
import type {} from '@fastify/otel'
import type { FastifyInstance } from 'fastify'
import { acceptQuality } from '../../input/media-type.js'
import { originForbidden } from '../../problems/access.js'
import { notAcceptable } from '../../problems/request.js'
import access from '../customers/access.js'
import contentTypes from '../customers/content-types.js'
import type { CustomersOptions } from '../customers/index.js'
import { unavailableError } from '../customers/unavailable.js'
import { MCP_PATH, mcpResource } from '../metadata/index.js'
import { calledTool, readMessage } from './message.js'
import { createRespond } from './respond.js'
import { tools } from './tools/index.js'

const MAX_BODY_BYTES = 65_536

const config = { scope: 'customer:read', keepsScopes: true } as const

/** `POST /mcp`: the tools of assistants (Model Context Protocol, Streamable HTTP), without sessions and streams. */
export default async function mcp (fastify: FastifyInstance, { tail, ...service }: CustomersOptions) {
  const { config: { corsOrigins, serviceRoot }, stores } = service
  const resource = mcpResource(service.config)
  const respond = createRespond(resource)
  const hrefOf = (id: number) => `${serviceRoot}/rest/qa/customer/${id}`

  // Before tokens are checked: pages of other origins must not use the service on the user's machine (DNS rebinding).
  fastify.addHook('onRequest', async ({ headers: { origin } }) => {
    if (origin === undefined || corsOrigins.includes(origin)) return
    throw originForbidden(`Pages of ${origin} must not send requests to this address.`)
  })
  await fastify.register(access, { ...service, audience: resource, path: MCP_PATH })
  fastify.setErrorHandler((error, request, reply) => reply.problem(isUnavailable(error) ? unavailableError(error) : error))
  fastify.removeAllContentTypeParsers()
  await fastify.register(contentTypes, { readers: { 'application/json': readMessage } })

  const route = { config, bodyLimit: MAX_BODY_BYTES, schema: { hide: true } }
  fastify.post<{ Body: ReturnType<typeof readMessage> }>(MCP_PATH, route, async (request, reply) => {
    const { headers, body } = request
    if (acceptQuality(headers.accept, 'application/json') === 0) throw notAcceptable('Accept must allow application/json, in utf-8.')
    const called = calledTool(body)
    const tool = tools.find(({ name }) => name === called)
    if (tool !== undefined) {
      request.tool = tool.name
      if (fastify.hasRequestDecorator('opentelemetry')) request.opentelemetry().span?.setAttribute('gen_ai.tool.name', tool.name)
      request.requireScope(tool.scope)
    }
    const response = await respond(body, { request, stores, hrefOf })
    if (tool?.annotations.readOnlyHint === false) tail.wake()
    return await reply.code(response.status).headers(Object.fromEntries(response.headers)).send(await response.text())
  })
}
