import view from '@fastify/view'
import { brandMarkup } from '@frontdesk/service-kit/brand/markup'
import type { Brand } from '@frontdesk/service-kit/brand/settings'
import { hashSource } from '@frontdesk/service-kit/pages/plain-page'
import { Eta } from 'eta'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { fileURLToPath } from 'node:url'

declare module 'fastify' {
  interface FastifyReply {
    /** Renders and sends a page that must not be stored or framed, and runs only its own script. */
    page: (name: string, data: object, options?: PageOptions) => Promise<FastifyReply>
    /** The same for rendered HTML. */
    renderedPage: (html: string, options?: PageOptions) => FastifyReply
  }
}

interface PageOptions {
  /** Whether its form redirects to a client, and from there anywhere. */
  readonly leadsOutside?: boolean
  /** Origin that its forms can redirect to, besides its own. */
  readonly leadsTo?: string | undefined
  /** Source of its only script. */
  readonly script?: string
}

const root = new URL('../../../', import.meta.url)

interface Options {
  basePath: string
  brand: Brand
  /** Whether sign-in forms link to `/forgot-password`. */
  sendsMail: boolean
  /** Whether sign-in forms link to `/sign-up`. */
  canSignUp: boolean
  /** Name of the upstream provider, for the button of sign-in forms; `undefined`: none. */
  upstream: string | undefined
  /** Domain of passkeys. */
  rpId: string
}

/** Pages: Eta views in one layout with one stylesheet. */
export default fp<Options>(async function pages (fastify, { basePath, brand, sendsMail, canSignUp, upstream, rpId }) {
  const mark = brandMarkup(brand, `<img src="${basePath}/assets/icon.svg" alt="" width="24" height="24">`, basePath)
  await fastify.register(view, {
    engine: { eta: new Eta() },
    root: fileURLToPath(new URL('views/', root)),
    layout: 'layout.eta',
    production: true,
    defaultContext: { basePath, brand, mark, sendsMail, canSignUp, upstream, rpId }
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    done()
  })

  fastify.decorateReply('page', async function page (this: FastifyReply, name: string, data: object, options: PageOptions = {}) {
    const { languageSwitch } = this.request
    const t = await this.translator()
    // The button of the upstream provider is in the form.
    const leadsOutside = options.leadsOutside === true || (upstream !== undefined && 'offersUpstream' in data && data.offersUpstream === true)
    const html = await this.viewAsync(`${name}.eta`, { ...data, t, languageSwitch, script: options.script })
    return this.renderedPage(html, { ...options, leadsOutside })
  })

  fastify.decorateReply('renderedPage', function renderedPage (this: FastifyReply, html: string, options: PageOptions = {}) {
    // No Cross-Origin-Opener-Policy: a client that opened a popup must receive its messages.
    this.headers({
      'cache-control': 'no-store',
      'content-security-policy': contentPolicy(options),
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY'
    })
    return this.send(html)
  })
}, { name: 'pages', fastify: '5.x' })

/**
 * The policy of a page. Without `form-action` if the form leads outside: Chromium applies it to every redirect after the form
 * (w3c/webappsec-csp#8), so that a sign-in would fail if the client redirects to another origin.
 */
function contentPolicy ({ leadsOutside = false, leadsTo = '', script }: PageOptions): string {
  return [
    "default-src 'none'",
    ...script === undefined ? [] : [`script-src ${hashSource(script)}`],
    "style-src 'self'",
    "img-src 'self'",
    ...leadsOutside ? [] : [`form-action 'self' ${leadsTo}`.trim()],
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
}
