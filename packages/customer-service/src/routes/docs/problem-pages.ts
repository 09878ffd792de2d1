import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { escape } from '@frontdesk/service-kit/pages/html'
import { codeBlock, escapeMarkdown, MARKDOWN, renderMarkdown, splitMarkdownName } from '@frontdesk/service-kit/pages/markdown'
import type { FastifyReply } from 'fastify'
import { STATUS_CODES } from 'node:http'
import { readPages } from '../../docs/pages.js'
import { answers } from '../../problems/answers.js'
import type { Kind } from '../../problems/define.js'
import { kinds } from '../../problems/index.js'
import { pathUnknown } from '../../problems/request.js'
import { problems } from '../customers/responses.js'
import { page } from './page.js'

const Name = Type.Object({ name: Type.String({ description: 'Last part of the `type` of a problem. With `.md` after it, the page is Markdown.' }) })

/**
 * `GET /problems/{name}`: a page for each kind of problem, at the URL in its `type`, and in Markdown with `.md` after it.
 * `docs`: whether there is an API reference.
 */
const problemPages: FastifyPluginAsyncTypebox<{ docs: boolean }> = async function problemPages (fastify, { docs }) {
  const home = `${fastify.prefix}/problems`
  const { csp, render } = await readPages()
  const reference = `<a href="${fastify.prefix}/docs">API reference</a>`
  const links = `<a href="${home}">All problems</a>${docs ? ` · ${reference}` : ''}`
  const items = kinds.map(({ name, status, title }) => `<li><a href="${home}/${name}">${status} ${escape(title)}</a></li>`)
  const write = (title: string, body: string) => Buffer.from(render(title, body, { kind: 'document' }))
  const list = write('Problems', `<ul class="index">${items.join('')}</ul>${docs ? `<p>${reference}</p>` : ''}`)
  const pages = new Map(kinds.map(kind => [kind.name, { kind, html: write(kind.title, explain(kind, answerTo(kind), links)) }]))

  const tags = ['problem']
  const listSchema = { operationId: 'listProblems', summary: 'List every kind of problem', tags, response: page('text/html') }
  fastify.get('/problems', { schema: listSchema }, async (request, reply) => await send(reply, list))
  const markdownSchema = {
    operationId: 'listProblemsInMarkdown', summary: 'List every kind of problem in Markdown', tags, response: page('text/markdown')
  }
  fastify.get('/problems.md', { schema: markdownSchema }, async (request, reply) => await sendMarkdown(reply, listInMarkdown(home)))

  const response = { ...page('text/html', 'text/markdown'), ...problems(pathUnknown) }
  const pageSchema = { operationId: 'explainProblem', summary: 'Explain a kind of problem', tags, params: Name, response }
  fastify.get('/problems/:name', { schema: pageSchema }, async (request, reply) => {
    const { name, isMarkdown } = splitMarkdownName(request.params.name)
    const found = pages.get(name)
    if (found === undefined) throw pathUnknown('There is no such kind of problem. /problems lists them all.')
    const { kind, html } = found
    return isMarkdown ? await sendMarkdown(reply, explainInMarkdown(kind, answerTo(kind), home)) : await send(reply, html)
  })

  /** The recorded response to the example, with this service's URLs. */
  function answerTo (kind: Kind) {
    const { headers, members } = answers[kind.name] ?? { headers: {}, members: {} }
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`).join('')
    return `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}\n${fields}\n${JSON.stringify(fastify.problemOf(kind, members), null, 2)}`
  }

  function send (reply: FastifyReply, html: Buffer) {
    return reply.headers({ 'Content-Security-Policy': csp, 'Cache-Control': 'no-cache' }).sendDocument(html, 'text/html; charset=utf-8')
  }

  function sendMarkdown (reply: FastifyReply, text: string) {
    return reply.header('Cache-Control', 'no-cache').sendDocument(Buffer.from(text), MARKDOWN)
  }
}

export default problemPages

function explain ({ status, cause, fix, example }: Kind, answer: string, links: string) {
  return `
<p>Status ${status}</p>
<h2>Why it happens</h2><p>${escape(cause)}</p>
<h2>What to do</h2><p>${escape(fix)}</p>
<h2>Example</h2><pre>${escape(example)}</pre><pre>${escape(answer)}</pre>
<p>${links}</p>`
}

function explainInMarkdown ({ title, status, cause, fix, example }: Kind, answer: string, home: string) {
  return renderMarkdown([
    `# ${escapeMarkdown(title)}`,
    `Status ${status}`,
    '## Why it happens',
    escapeMarkdown(cause),
    '## What to do',
    escapeMarkdown(fix),
    '## Example',
    codeBlock(example),
    codeBlock(answer),
    `[All problems](${home}.md)`
  ])
}

function listInMarkdown (home: string) {
  const items = kinds.map(({ name, status, title }) => `- [${status} ${escapeMarkdown(title)}](${home}/${name}.md)`)
  return renderMarkdown(['# Problems', items.join('\n')])
}
