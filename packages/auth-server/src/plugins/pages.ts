import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Brand } from '../settings/brand.js'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Sends a page that must not be stored or framed, and runs only its own script.
     * @param formAction an additional CSP source for its forms
     * @param script text of its only script
     */
    page: (name: string, data: object, formAction?: string, script?: string) => Promise<FastifyReply>
    /** The same for HTML. */
    renderedPage: (html: string, formAction?: string, script?: string) => FastifyReply
  }
}

const root = new URL('../../../', import.meta.url)

interface Options {
  basePath: string
  brand: Brand
  /** Whether sign-in forms have a link for a forgotten password. */
  sendsMail: boolean
}

/** Pages: Eta views in one layout with one stylesheet. */
export default fp<Options>(async function pages (fastify, { basePath, brand, sendsMail }) {
  await fastify.register(view, {
    engine: { eta: new Eta() },
    root: fileURLToPath(new URL('views/', root)),
    layout: 'layout.eta',
    production: true,
    defaultContext: { basePath, brand, sendsMail }
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    done()
  })

  fastify.decorateReply('page', async function page (this: FastifyReply, name: string, data: object, formAction?: string, script?: string) {
    return this.renderedPage(await this.viewAsync(`${name}.eta`, { ...data, script }), formAction, script)
  })

  fastify.decorateReply('renderedPage', function renderedPage (this: FastifyReply, html: string, formAction = '', script?: string) {
    // Chromium and Safari apply form-action to the redirect after a form: it must include the callback.
    // No Cross-Origin-Opener-Policy: a client that opened a popup must receive its messages.
    this.headers({
      'cache-control': 'no-store',
      'content-security-policy':
        `default-src 'none'; ${sourceOf(script)}style-src 'self'; img-src 'self'; form-action 'self' ${formAction}`.trimEnd() +
        "; base-uri 'none'; frame-ancestors 'none'",
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY'
    })
    return this.send(html)
  })
}, { name: 'pages', fastify: '5.x' })

/** The directive that allows one script (CSP3 §8.3). */
function sourceOf (script: string | undefined): string {
  return script === undefined ? '' : `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; `
}
