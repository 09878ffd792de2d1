import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { message } from '../../languages/translator.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import type { MailPasswordLink } from '../../sign-in/mail-password-link.js'
import type { NotMeLinks } from '../../sign-in/not-me-link.js'
import { unusableHash } from '../../sign-in/password.js'
import type { Stores } from '../../stores/stores.js'
import type { Takeovers } from '../../stores/users/takeovers.js'
import { linkField, linkIn } from '../link-field.js'
import { createSentNote } from '../mail-note.js'
import { pages } from '../responses.js'

interface Options {
  stores: Pick<Stores, 'profiles' | 'spentIds' | 'users'> & { readonly takeovers: Takeovers }
  notMeLinks: NotMeLinks
  mailLink: MailPasswordLink
}

/**
 * `/not-me`: a user denies a change that an email announced. The link is the proof: no session or form token is needed. It gives no access:
 * the link that sets a password is emailed, as by `/forgot-password`.
 */
const notMe: FastifyPluginAsyncTypebox<Options> = async function notMe (fastify, { stores, notMeLinks, mailLink }) {
  const schema = { tags: ['Account page'], response: pages }
  const action = `${fastify.prefix}/not-me`

  fastify.get('/not-me', {
    schema: {
      ...schema,
      operationId: 'showNotMe',
      summary: 'Show what a user can do about a change that they did not make',
      description: 'With a link from an email about the change. Changes nothing. Available only with `SMTP_URL`.',
      querystring: Type.Object(linkField)
    }
  }, async (request, reply) => {
    const link = linkIn(request)
    const { profile: { username, email, emailVerified }, what, at, factor, mailedTo } = await open(link)
    const isMailable = emailVerified && email === mailedTo
    return await reply.page('not-me', {
      title: message('not-me.title'), action, link, username, what: message(`notice.${what}`), at, factor: factor?.kind, isMailable
    })
  })

  fastify.post('/not-me', {
    schema: {
      ...schema,
      operationId: 'denyChange',
      summary: 'Stop someone who uses another user\'s account',
      description: 'Ends all sessions, revokes all access and the password, disconnects the account at the upstream provider, and removes the ' +
        'factor that the email announced. Emails a link that sets a new password, unless the address was changed.',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object(linkField)
    }
  }, async (request, reply) => {
    const { profile, ...opened } = await open(single(request.form, 'link') ?? '')
    const stopped = await stores.takeovers.stop(opened, unusableHash())
    if (stopped === null) throw ended()
    const { isMailable, isFactorRemoved, isDisconnected } = stopped
    const removed = isFactorRemoved && opened.factor !== undefined ? { removed: opened.factor.kind } : {}
    const details = { ...removed, ...isDisconnected && { disconnected: true } }
    request.audit({ event: 'not-me', outcome: isMailable ? 'mailed' : 'other address', userId: profile.id, details })
    const user = isMailable ? await stores.users.find({ id: profile.id }) : null
    if (user !== null) {
      const { language } = await reply.translator()
      await mailLink(user, { ...profile, email: opened.mailedTo, language }, createSentNote(request, user.id))
    }
    return await reply.page('not-me-done', { title: message('not-me.done'), isMailable, ...details })
  })

  /** @throws OAuthError `endedNotMeLink` */
  async function open (link: string) {
    const opened = await notMeLinks.open(link, fastify.clock.now())
    if (opened === null || await stores.spentIds.has(opened.idHash)) throw ended()
    const profile = await stores.profiles.find(opened.userId)
    if (profile === null) throw ended()
    return { ...opened, profile }
  }
}
export default notMe

function ended () {
  return errors.endedNotMeLink('the link has expired, was already used or is not from this server, or the user is disabled or removed')
}
