import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Sends a page that nobody may store or frame, and that runs no script but its own.
     * @param formAction where its forms may lead beside this origin, as a CSP source
     * @param script text of the one script in it
     */
    page: (name: string, data: object, formAction?: string, script?: string) => Promise<FastifyReply>
    /** The same for a page that is rendered already. */
    renderedPage: (html: string, formAction?: string, script?: string) => FastifyReply
  }
}

const root = new URL('../../../', import.meta.url)

/** Pages: Eta views in one layout with one stylesheet. */
export default fp<{ basePath: string }>(async function pages (fastify, { basePath }) {
  await fastify.register(view, {
    engine: { eta: new Eta() },
    root: fileURLToPath(new URL('views/', root)),
    layout: 'layout.eta',
    production: true,
    defaultContext: { basePath }
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    done()
  })

  fastify.decorateReply('page', async function page (this: FastifyReply, name: string, data: object, formAction?: string, script?: string) {
    return this.renderedPage(await this.viewAsync(`${name}.eta`, { ...data, script }), formAction, script)
  })

  fastify.decorateReply('renderedPage', function renderedPage (this: FastifyReply, html: string, formAction = '', script?: string) {
    // Chromium and Safari hold the redirect after a form to form-action too: the callback must be in it.
    // No Cross-Origin-Opener-Policy: a client that opened a popup needs to hear from it.
    this.headers({
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; ${sourceOf(script)}style-src 'self'; img-src 'self'; form-action 'self' ${formAction}`.trimEnd() + "; base-uri 'none'; frame-ancestors 'none'",
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY'
    })
    return this.send(html)
  })
}, { name: 'pages', fastify: '5.x' })

/** The directive that lets one script run (CSP3 §8.3). */
function sourceOf (script: string | undefined): string {
  return script === undefined ? '' : `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; `
}
