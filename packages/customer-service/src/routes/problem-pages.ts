import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Kind } from '../problems/define.js'
import { kinds } from '../problems/index.js'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid; border-radius: 0.5rem; white-space: pre-wrap; overflow-wrap: anywhere }`
const csp = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

/** `GET /problems/{name}`: a page for every kind of problem, at the address that is its `type`. */
export default async function problemPages (fastify: FastifyInstance) {
  const send = (path: string, summary: string, html: string) => {
    fastify.get(path, { schema: { summary, tags: ['problem'], response: { 200: { type: 'string' } } } }, async (request, reply) =>
      reply.headers({ 'Content-Security-Policy': csp, 'Cache-Control': 'no-cache' }).type('text/html; charset=utf-8').send(html))
  }
  send('/problems', 'Every kind of problem', page('Problems', `<ul>${kinds.map(kind => listEntry(fastify.prefix, kind)).join('')}</ul>`))
  for (const kind of kinds) {
    const answer = JSON.stringify(fastify.problemOf(kind), null, 2)
    send(`/problems/${kind.name}`, `Explains: ${kind.title}`, page(kind.title, `
<p>Status ${kind.status}</p>
<h2>Why it happens</h2><p>${escape(kind.cause)}</p>
<h2>What to do</h2><p>${escape(kind.fix)}</p>
<h2>Example</h2><pre>${escape(kind.example)}</pre><pre>${escape(answer)}</pre>
<p><a href="${fastify.prefix}/problems">All problems</a></p>`))
  }
}

function listEntry (prefix: string, { name, status, title }: Kind) {
  return `<li><a href="${prefix}/problems/${name}">${status} ${escape(title)}</a></li>`
}

function page (title: string, content: string) {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${style}</style>
<h1>${escape(title)}</h1>${content}
</html>`
}

function escape (text: string) {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
