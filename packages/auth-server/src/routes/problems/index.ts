import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { message } from '../../languages/translator.js'
import { problems } from '../../oauth/problems.js'
import { page, pageOrProblem } from '../responses.js'

/** `GET /problems/{name}`: a page for each kind of error, whose address is its `type`; `GET /problems` lists them. */
const problemPages: FastifyPluginAsyncTypebox = async function problemPages (fastify) {
  const schema = { tags: ['Problems'], response: { 200: page, '4xx': pageOrProblem } }

  fastify.get('/problems', {
    schema: { ...schema, operationId: 'listProblems', summary: 'List every kind of error' }
  }, async (request, reply) =>
    await reply.page('problems', { title: message('error-page.list-title'), problems, isDocument: true }))

  fastify.get('/problems/:name', {
    schema: {
      ...schema,
      operationId: 'explainProblem',
      summary: 'Explain a kind of error',
      params: Type.Object({ name: Type.String({ description: 'Last part of the `type` of a problem.' }) })
    }
  }, async (request, reply) => {
    const problem = problems.find(({ name }) => name === request.params.name)
    return problem === undefined ? reply.callNotFound() : await reply.page('problem', { problem, title: problem.title, isDocument: true })
  })
}
export default problemPages
