import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Refusal } from '../../admin/refusal.js'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { shareCookies } from '../../input/cookies.js'
import { message } from '../../languages/translator.js'
import { parseForm, parseParameters } from '../../oauth/parameters.js'
import { sourceOf } from '../../sign-in/source.js'
import type { Stores } from '../../stores/stores.js'
import { stepFor } from '../sign-in/factor-page.js'
import { createAdmit, type Admitted } from './admission.js'
import type { ConsoleAction, SentForm, View, Visit } from './define.js'
import { verifyConsoleToken } from './form-token.js'
import { refusalOf } from './refusal.js'
import { createRender } from './render.js'
import { actions, downloads, pages } from './routes.js'
import { createSignIn } from './sign-in.js'
import { parseUpload } from './upload.js'

interface Options { config: Config, stores: Stores, formKeys: FormKeys }

const STATUS_OF_REFUSAL: Readonly<Record<Refusal['code'], number>> = {
  invalid: 400, unknown: 400, taken: 409, conflict: 409, changed: 409, forbidden: 403
}

/** `/admin`: what administrators do, as pages. */
const console: FastifyPluginAsync<Options> = async function console (fastify, { config, stores, formKeys }) {
  const home = fastify.prefix
  const signIn = createSignIn(fastify, { config, stores, home })
  const { render, renderProblem } = createRender({ config, formKeys, home })
  const admit = createAdmit(fastify, { stores, adminAcr: config.adminAcr, formKeys, home, signIn, renderProblem })
  const schema = { hide: true }
  fastify.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, parseUpload)
  await signIn.register()
  fastify.addHook('preValidation', async ({ params }, reply) => {
    // PostgreSQL rejects NUL in text: nothing has such an id.
    if (Object.values(Object(params)).some(value => String(value).includes('\0'))) return reply.callNotFound()
  })

  for (const page of pages) {
    fastify.get(page.path, { schema }, async (request, reply) => {
      const admitted = await admit(reply, page)
      if (admitted === null) return reply
      const draft = signIn.takeDraft(reply, admitted.session.userId)
      const form = draft && { ...draft, faults: [] }
      const view = await orNull(() => page.show(visitOf(request, admitted, form)))
      if (view === null) return reply.callNotFound()
      const word = reply.takeFlash()
      const done = form === undefined ? actions.find(({ name }) => name === word)?.done : 'console.signed-in-again'
      return await render(reply, { ...admitted, ...page, form, done }, view)
    })
  }

  for (const action of actions) {
    fastify.post(action.path, { schema, ...action.bodyLimit !== undefined && { bodyLimit: action.bodyLimit } }, async (request, reply) => {
      const admitted = await admit(reply, action)
      if (admitted === null) return reply
      const form = { action: action.name, fields: request.form, faults: [] }
      const visit = { ...visitOf(request, admitted, form), form }
      return await action.run(visit).then(
        next => succeed(reply, admitted, action, next),
        error => refuse(reply, admitted, action, { ...visit, refusal: refusalOf(error) })
      )
    })
  }

  for (const download of downloads) {
    fastify.get(download.path, { schema }, async (request, reply) => {
      const admitted = await admit(reply, download)
      if (admitted === null) return reply
      const file = await orNull(() => download.read(visitOf(request, admitted, undefined)))
      if (file === null) return reply.callNotFound()
      return await reply.headers({
        'cache-control': 'no-store', 'content-type': file.mediaType, 'content-disposition': `attachment; filename="${file.name}"`
      }).send(typeof file.content === 'string' ? file.content : Readable.from(file.content))
    })
  }

  fastify.get('/callback', { schema }, async (request, reply) => {
    const completed = await signIn.complete(reply, parseParameters(queryOf(request.url)))
    if ('to' in completed) return await reply.header('cache-control', 'no-store').redirect(completed.to, 303)
    if (completed.failure === 'incomplete') {
      return await renderProblem(reply.code(403), message('console.failed-incomplete'), 'console.failed-incomplete-why')
    }
    const step = stepFor(config.adminAcr)
    return await renderProblem(reply.code(403), message(`console.needs.${step}`), `console.needs.${step}.why`)
  })

  fastify.post('/sign-out', { schema }, async (request, reply) => {
    const { userId } = verifyConsoleToken(request, formKeys)
    await signIn.signOut(reply)
    if (userId !== undefined) request.audit({ event: 'sign-out', outcome: 'done', userId })
    const elsewhere = shareCookies(config.issuer, config.adminUrl) ? undefined : `${config.issuer}/sign-out`
    return await reply.page('console/signed-out', { title: message('console.signed-out'), home, elsewhere })
  })

  /** Shows the next page: with a redirect, so that a reload does not submit the form again, or a view that is shown once. */
  async function succeed (reply: FastifyReply, admitted: Admitted, { name, page }: ConsoleAction, next: string | View) {
    if (typeof next !== 'string') return await render(reply, { ...admitted, ...page, form: next.form }, next)
    reply.setFlash(name)
    return await reply.header('cache-control', 'no-store').redirect(home + next, 303)
  }

  /** Shows the page with the submitted form again, and what is wrong with it. */
  async function refuse (
    reply: FastifyReply,
    admitted: Admitted,
    { page }: ConsoleAction,
    { refusal: { code, faults }, ...visit }: Visit & { readonly refusal: Pick<Refusal, 'code' | 'faults'> }
  ) {
    const form = visit.form && { ...visit.form, faults }
    const view = await orNull(() => page.show({ ...visit, form }))
    if (view === null) return reply.callNotFound()
    return await render(reply.code(STATUS_OF_REFUSAL[code]), { ...admitted, ...page, form }, view)
  }

  function visitOf<Path extends string> (
    request: FastifyRequest, { session, roles, rights }: Admitted, form: SentForm | undefined
  ): Visit<Path> {
    return {
      stores,
      config,
      // as: routes have only text parameters.
      params: request.params as Visit<Path>['params'],
      query: request.method === 'GET' ? parseForm(queryOf(request.url)) : {},
      rights,
      by: { kind: 'user', userId: session.userId, roles, source: sourceOf(request.ip), requestId: request.id },
      now: fastify.clock.now(),
      form
    }
  }
}
export default console

/** Returns the result; `null` if there is no such user, app or role. */
async function orNull<T> (read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unknown') return null
    throw error
  }
}
