import { Type, type Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { escape } from '../docs/html.js'
import { answers } from '../problems/answers.js'
import type { Kind } from '../problems/define.js'
import { kinds } from '../problems/index.js'
import { pathUnknown } from '../problems/request.js'

const Name = Type.Object({ name: Type.String({ description: 'Last part of the `type` of a problem.' }) })
type Name = Static<typeof Name>

const schema = { tags: ['problem'], response: { 200: { description: 'A page.', content: { 'text/html': { schema: Type.String() } } } } }

const style = `
:root { color-scheme: light dark; background: #f3f4f8; color: #1b1d28; font: 1rem/1.55 system-ui, sans-serif }
body { margin: 0; padding: clamp(1rem, 4vh, 2.5rem) 1rem 3rem }
header, main { max-width: 44rem; margin: 0 auto; box-sizing: border-box }
header { display: flex; gap: .6rem; align-items: center; padding: 0 0 1rem .1rem; font-weight: 600 }
svg { display: block; width: 28px; height: 28px }
main { padding: 1.5rem clamp(1rem, 5vw, 2.25rem); border: 1px solid #d5d8e3; border-radius: 14px; background: #fff; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.45rem; line-height: 1.25 }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem }
p { margin: .25rem 0 1rem }
pre { padding: .75rem 1rem; border-radius: 9px; background: #f3f4f8; white-space: pre-wrap }
a { color: #3b4cca }
@media (prefers-color-scheme: dark) {
  :root, pre { background: #14151c; color: #eceef6 }
  main { border-color: #343845; background: #1e2029 }
  a { color: #a5b1ff }
}`
const csp = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

/** `GET /problems/{name}`: a page for every kind of problem, at the address that is its `type`. @param options.docs whether there is an API reference */
export default async function problemPages (fastify: FastifyInstance, { docs }: { docs: boolean }) {
  const home = `${fastify.prefix}/problems`
  // In the page itself: the file has an address only where there is an API reference.
  const icon = await readFile(new URL('../../../public/icon.svg', import.meta.url), 'utf8')
  const reference = `<a href="${fastify.prefix}/docs">API reference</a>`
  const links = `<a href="${home}">All problems</a>${docs ? ` · ${reference}` : ''}`
  const list = page('Problems', icon, `<ul>${kinds.map(({ name, status, title }) => `<li><a href="${home}/${name}">${status} ${escape(title)}</a></li>`).join('')}</ul>${docs ? `<p>${reference}</p>` : ''}`)
  const pages = new Map(kinds.map(kind => [kind.name, page(kind.title, icon, explain(kind, answerTo(kind), links))]))

  fastify.get('/problems', { schema: { ...schema, operationId: 'listProblems', summary: 'Every kind of problem' } }, async (request, reply) => await send(reply, list))

  fastify.get<{ Params: Name }>('/problems/:name', { schema: { ...schema, operationId: 'explainProblem', summary: 'Explains a kind of problem', params: Name } }, async (request, reply) => {
    const html = pages.get(request.params.name)
    if (html === undefined) throw pathUnknown('There is no such kind of problem. See /problems for all.')
    return await send(reply, html)
  })

  /** What was answered to the example when it was tested, with the addresses of this service. */
  function answerTo (kind: Kind) {
    const { headers, members } = answers[kind.name] ?? { headers: {}, members: {} }
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`).join('')
    return `HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}\n${fields}\n${JSON.stringify(fastify.problemOf(kind, members), null, 2)}`
  }
}

function send (reply: FastifyReply, html: string) {
  return reply.headers({ 'Content-Security-Policy': csp, 'Cache-Control': 'no-cache' }).type('text/html; charset=utf-8').send(html)
}

function explain ({ status, cause, fix, example }: Kind, answer: string, links: string) {
  return `
<p>Status ${status}</p>
<h2>Why it happens</h2><p>${escape(cause)}</p>
<h2>What to do</h2><p>${escape(fix)}</p>
<h2>Example</h2><pre>${escape(example)}</pre><pre>${escape(answer)}</pre>
<p>${links}</p>`
}

function page (title: string, icon: string, content: string) {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)} · Frontdesk</title><style>${style}</style>
<header><span aria-hidden="true">${icon}</span>Frontdesk</header>
<main><h1>${escape(title)}</h1>${content}</main>
</html>`
}
