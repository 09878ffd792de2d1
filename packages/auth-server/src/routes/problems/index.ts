import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MARKDOWN, splitMarkdownName } from '@frontdesk/service-kit/pages/markdown'
import { message, translator } from '../../languages/translator.js'
import { problems } from '../../oauth/problems.js'
import { page, pageOrProblem } from '../responses.js'
import { explainInMarkdown, listInMarkdown } from './markdown.js'

const pageOrMarkdown = { ...page, content: { ...page.content, 'text/markdown': { schema: Type.String() } } }

/**
 * `GET /problems/{name}`: a page for each kind of error, whose address is its `type`; `GET /problems` lists them. Both are
 * in Markdown with `.md` after them, in English: programs read them.
 */
const problemPages: FastifyPluginAsyncTypebox = async function problemPages (fastify) {
  const schema = { tags: ['Problems'], response: { 200: page, '4xx': pageOrProblem } }

  fastify.get('/problems', {
    schema: { ...schema, operationId: 'listProblems', summary: 'List every kind of error' }
  }, async (request, reply) =>
    await reply.page('problems', { title: message('error-page.list-title'), problems, isDocument: true }))

  fastify.get('/problems.md', { schema: { hide: true } }, async (request, reply) =>
    reply.sendDocument(Buffer.from(listInMarkdown(await translator('en'), fastify.prefix)), MARKDOWN))

  fastify.get('/problems/:name', {
    schema: {
      ...schema,
      operationId: 'explainProblem',
      summary: 'Explain a kind of error',
      params: Type.Object({
        name: Type.String({ description: 'Last part of the `type` of a problem. With `.md` after it, the page is Markdown.' })
      }),
      response: { ...schema.response, 200: pageOrMarkdown }
    }
  }, async (request, reply) => {
    const { name, isMarkdown } = splitMarkdownName(request.params.name)
    const problem = problems.find(problem => problem.name === name)
    if (problem === undefined) return reply.callNotFound()
    return isMarkdown
      ? reply.sendDocument(Buffer.from(explainInMarkdown(problem, await translator('en'), fastify.prefix)), MARKDOWN)
      : await reply.page('problem', { problem, title: problem.title, isDocument: true })
  })
}
export default problemPages
