import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.js'
import { passwordChanged } from '../../mail/account-notices.js'
import type { Notify } from '../../mail/notices.js'
import { message, type Text } from '../../languages/translator.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import { hashPassword } from '../../sign-in/password.js'
import { whyNotPassword } from '../../sign-in/password-rule.js'
import { createPerKeyLimit } from '../../sign-in/queue.js'
import type { OpenedLink, PasswordLinks } from '../../sign-in/password-link.js'
import type { Stores } from '../../stores/stores.js'
import type { User } from '../../stores/users/users.js'
import { linkField, linkIn } from '../link-field.js'
import { pages } from '../responses.js'
import { pageScript } from '../page-script.js'

/** Maximum running and queued uses of a user's links. */
const MAX_QUEUED_PER_USER = 4

const BUSY = message('set-password.busy')

interface Options {
  config: Pick<Config, 'issuer' | 'passwordMin'>
  stores: Pick<Stores, 'users'>
  passwordLinks: PasswordLinks
  notify: Notify
}

/** `/set-password`: sets a password with a link from an operator or an email. The link is the proof: no session or form token is needed. */
const setPassword: FastifyPluginAsyncTypebox<Options> = async function setPassword (
  fastify, { config, stores: { users }, passwordLinks, notify }
) {
  const { issuer, passwordMin } = config
  const inTurn = createPerKeyLimit<User | null>(1, MAX_QUEUED_PER_USER)
  const schema = { tags: ['Account page'], response: pages }

  fastify.get('/set-password', {
    schema: {
      ...schema,
      operationId: 'showSetPassword',
      summary: 'Show the form that sets a password',
      querystring: Type.Object(linkField)
    }
  }, async (request, reply) => {
    const link = linkIn(request)
    return await showForm(reply, await open(link), link)
  })

  fastify.post('/set-password', {
    schema: {
      ...schema,
      operationId: 'setPassword',
      summary: 'Set a password',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({ ...linkField, new_password: Type.Optional(Type.String()) })
    }
  }, async (request, reply) => {
    const [link, password] = [single(request.form, 'link') ?? '', single(request.form, 'new_password') ?? '']
    const opened = await open(link)
    const { user, profile, isInvitation, request: before } = opened
    const failure = await whyNotPassword({ password, passwordMin }, profile)
    if (failure !== null) return await showForm(reply.code(403), opened, link, failure)
    const changed = await inTurn(user.id, () => set(link, password))
    if (changed === undefined) return await showForm(reply.code(503).header('retry-after', 2), opened, link, BUSY)
    if (changed === null) throw ended()
    request.audit({ event: 'password', outcome: 'link', userId: user.id })
    if (isInvitation !== true) await notify(user.id, passwordChanged)
    reply.seeBrowser(changed)
    const startAgain = before === undefined ? undefined : `${issuer}/authorize?${before}`
    return await reply.page('password-set', { title: message('set-password.done'), username: user.username, isInvitation, startAgain })
  })

  /** Atomic: exactly one concurrent use of the link succeeds, on all replicas. */
  async function set (link: string, password: string): Promise<User | null> {
    // Opened again: a use that ran before it has ended the link, and hashing is expensive.
    const { user, ...handed } = await open(link)
    return await users.changePassword(user, await hashPassword(password), handed)
  }

  /** @throws OAuthError `endedPasswordLink` */
  async function open (link: string): Promise<OpenedLink> {
    const opened = await passwordLinks.find(link, fastify.clock.now())
    if (opened === null) throw ended()
    return opened
  }

  async function showForm (reply: FastifyReply, { user: { username }, isInvitation }: OpenedLink, link: string, failure?: Text) {
    const action = `${fastify.prefix}/set-password`
    const title = message(isInvitation ? 'set-password.title-invitation' : 'set-password.title')
    const content = { title, action, username, isInvitation, link, failure, passwordMin }
    return await reply.page('set-password', content, { script: pageScript })
  }
}
export default setPassword

function ended () {
  return errors.endedPasswordLink('the link has expired, was already used or is not from this server, or the account is disabled')
}
