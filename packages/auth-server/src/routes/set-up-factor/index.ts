import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { SignInFailure } from '../../consent/visit.js'
import { message } from '../../languages/translator.js'
import { PASSKEY_ACR } from '../../oauth/acr.js'
import type { ErrorAdvice } from '../../oauth/error-texts.js'
import { errors, OAuthError } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import type { EndedFactorLink, FactorLinks, OpenedFactorLink } from '../../sign-in/factor-link.js'
import { credentialState } from '../../sign-in/password-link.js'
import { beginSignIn } from '../sign-in/attempt-sign-in.js'
import { linkField, linkIn } from '../link-field.js'
import { pageScript } from '../page-script.js'
import { pages } from '../responses.js'
import type { StepForm } from '../sign-in/step-form.js'
import { decisionForm, issuePageToken, readDecision, verifyPageToken, type SignInSteps } from '../visit.js'

interface Options { factorLinks: FactorLinks, signInSteps: SignInSteps, formKeys: FormKeys }

/** An opened link, and the form of its pages. */
interface Opened extends OpenedFactorLink { readonly form: StepForm }

/** What to do about a link that cannot be used. */
const ADVICE: Readonly<Record<EndedFactorLink, ErrorAdvice>> = {
  expired: 'advice.factor-link-expired',
  changed: 'advice.factor-link-changed',
  enrolled: 'advice.factor-link-enrolled',
  used: 'advice.factor-link-used'
}

/**
 * `/set-up-factor`: sets up a first factor with an administrator's link and the password. The link is in the address of each page, and
 * form tokens are bound to it, as those of the consent page are to its request.
 */
const setUpFactor: FastifyPluginAsyncTypebox<Options> = async function setUpFactor (
  fastify, { factorLinks, signInSteps, formKeys }
) {
  const { enrolling } = signInSteps
  const account = `${fastify.prefix}/account`
  const schema = {
    tags: ['Account page'],
    querystring: Type.Object(linkField),
    response: pages
  }

  fastify.get('/set-up-factor', {
    schema: { ...schema, operationId: 'showSetUpFactor', summary: 'Show the page of a link that sets up two-step sign-in' }
  }, async (request, reply) => await showForm(reply, await open(linkIn(request))))

  fastify.post('/set-up-factor', {
    schema: {
      ...schema,
      operationId: 'setUpFactor',
      summary: 'Set up two-step sign-in with a link and the password',
      consumes: ['application/x-www-form-urlencoded'],
      body: decisionForm(['continue', 'done'], 'The button: continue with the password, or the recovery codes are saved.'),
      response: { ...pages, 303: Type.Null({ description: 'Done. Redirects to the account page.' }) }
    }
  }, async (request, reply) => {
    const link = linkIn(request)
    await onForm(request, link, async () => {
      await (single(request.form, 'decision') === 'done' ? finish(reply, link) : goOn(reply, await open(link)))
    })
    return reply
  })

  /** @throws OAuthError `endedFactorLink` */
  async function open (link: string): Promise<Opened> {
    const found = await factorLinks.find(link, fastify.clock.now())
    if (typeof found === 'string') throw ended(found)
    return { ...found, form: { ...formFor(link), decision: 'done', link: found.use.idHash } }
  }

  function formFor (link: string): Pick<StepForm, 'action' | 'query'> {
    const page = `/set-up-factor?link=${encodeURIComponent(link)}`
    return { action: fastify.prefix + page, query: page }
  }

  async function goOn (reply: FastifyReply, opened: Opened) {
    await enrolling.answer(reply, opened.form)
    if (!reply.sent) await enterPassword(reply, opened)
  }

  /** Checks the password, and shows the first page of the set-up. */
  async function enterPassword (reply: FastifyReply, opened: Opened) {
    const { request } = reply
    const { user, form, use } = opened
    const { password, transaction } = readDecision(request.form, ['continue'])
    verifyPageToken(request, formKeys, form.query, transaction)
    const starting = await beginSignIn({ ...signInSteps, reply, now: fastify.clock.now() }, { username: user.username, password })
    if ('message' in starting) return await showForm(reply, opened, starting)
    await starting.postpone()
    if (starting.user.id !== user.id || credentialState(starting.user) !== credentialState(user)) throw ended('changed')
    return await enrolling.setUp(reply, form, starting.user, { by: 'link', link: use })
  }

  /** Leads on from the recovery codes. The link cannot be opened any more. */
  async function finish (reply: FastifyReply, link: string) {
    const { request } = reply
    verifyPageToken(request, formKeys, formFor(link).query, single(request.form, 'transaction'))
    reply.setFlash('set-up')
    return await reply.header('cache-control', 'no-store').redirect(account, 303)
  }

  async function showForm (reply: FastifyReply, { user, form: { action, query } }: Opened, failure?: SignInFailure) {
    const { username, requiredAcr } = user
    const transaction = issuePageToken(reply, formKeys, query)
    const shown = failure && { message: failure.statusCode === 403 ? message('failure.wrong-own-password') : failure.message }
    const needsPasskey = requiredAcr === PASSKEY_ACR
    const content = { title: message('set-up-factor.title'), action, username, needsPasskey, transaction, failure: shown }
    return await reply.code(failure?.statusCode ?? 200).page('set-up-factor', content, { script: pageScript })
  }

  /** Errors of forms say why the link has ended, or lead back to it. */
  async function onForm (request: FastifyRequest, link: string, answer: () => Promise<void>) {
    try {
      await answer()
    } catch (error) {
      if (!(error instanceof OAuthError) || error.kind === 'cookiesOff') throw error
      await open(link)
      request.startAgain = formFor(link).action
      throw new OAuthError({ ...error, advice: 'advice.factor-link-again' }, error.message, error.facts)
    }
  }
}
export default setUpFactor

function ended (why: EndedFactorLink): OAuthError {
  return new OAuthError({ ...errors.endedFactorLink.publicError, advice: ADVICE[why] }, `the link cannot be used: ${why}`)
}
