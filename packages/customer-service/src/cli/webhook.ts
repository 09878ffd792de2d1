import { command, noun } from '@frontdesk/service-kit/cli/command'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { list, table } from '@frontdesk/service-kit/cli/table'
import { randomBytes } from 'node:crypto'
import type { Config } from '../config.js'
import { formatCursor, parseCursor, type FeedCursor } from '../stores/changes/feed-cursor.js'
import type { Stores } from '../stores/open.js'
import { manageWebhooks, type ManagedWebhooks } from '../stores/webhooks/managed-webhooks.js'
import { MAX_WEBHOOKS, type Webhook } from '../stores/webhooks/webhooks.js'
import { openRegister, readConfig } from './config.js'

const add = command('add <url>', {
  says: 'Add an address, and print the secret that signs its events. It is shown only once.',
  options: {
    '--after <position>': 'where to start in the change feed: after the event with this id, oldest, or latest (the default)'
  },
  json: 'the webhook and its secret',
  run: async ({ url, after }) => await withStores(async ({ webhooks, feed }, { allowPrivateNetworks }) => {
    const { whyNotOutgoing } = await import('@frontdesk/service-kit/outgoing/outgoing')
    const why = whyNotOutgoing(url, allowPrivateNetworks)
    if (why !== null) throw new CommandError(`The address of a webhook must be ${why}.`)
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const id = `wh_${randomBytes(9).toString('base64url')}`
    const { position, mark } = await readCursor(feed, after)
    if (!await webhooks.add({ id, url, secret, position, mark })) {
      throw new CommandError(`The limit of ${MAX_WEBHOOKS} webhooks is reached. Remove one first.`)
    }
    return { id, url, secret }
  }),
  text: ({ id, secret }) => `Added the webhook ${id}. Its secret, which is shown only once:\n${secret}`
})

const all = command('list', {
  says: 'List the webhooks.',
  run: async () => await withStores(async ({ webhooks }) => (await webhooks.list()).map(withoutSecret)),
  text: webhooks => webhooks.length === 0
    ? 'There are no webhooks.'
    : list(['ID', 'ADDRESS', 'STATE'], webhooks.map(({ id, url, state }) => [id, url, state]))
})

const show = command('show <id>', {
  says: 'Show a webhook and its dead letters.',
  json: 'the webhook and its dead letters',
  run: async ({ id }) => await withStores(async ({ webhooks }) =>
    ({ ...withoutSecret(await findWebhook(webhooks, id)), deadLetters: await webhooks.listDeadLetters(id) })),
  text: ({ deadLetters, ...webhook }) => [
    table([
      ['ID', webhook.id],
      ['Address', webhook.url],
      ['State', webhook.state],
      ['Added', webhook.createdAt.toISOString()],
      ['Position', webhook.position],
      ['Failures', `${webhook.failures}${webhook.failure === null ? '' : `: ${webhook.failure}`}`],
      ['Dead letters', `${deadLetters.length}`]
    ]),
    ...deadLetters.length === 0
      ? []
      : [list(['EVENT', 'FAILED AT', 'REASON'], deadLetters.map(it => [`${it.position}`, it.at.toISOString(), it.reason]))]
  ].join('\n')
})

const remove = command('remove <id>', {
  says: 'Remove a webhook and its dead letters.',
  run: async ({ id }) => await withStores(async ({ webhooks }) => {
    if (!await webhooks.remove(id)) throw unknownError(id)
    return { id }
  }),
  text: ({ id }) => `Removed the webhook ${id}.`
})

const enable = command('enable <id>', {
  says: 'Resume delivery to a webhook now, if it is disabled or waits for the next attempt.',
  options: { '--after <position>': 'where to continue in the change feed: after the event with this id, oldest, or latest' },
  run: async ({ id, after }) => await withStores(async ({ webhooks, feed }) => {
    const cursor = after === undefined ? undefined : await readCursor(feed, after)
    if (!await webhooks.enable(id, cursor)) throw unknownError(id)
    return withoutSecret(await findWebhook(webhooks, id))
  }),
  text: ({ id }) => `The webhook ${id} is enabled.`
})

const resend = command('resend <id>', {
  says: 'Resend the dead letters of a webhook, and print the outcome of each.',
  run: async ({ id }, { say }) => await withStores(async (stores, config) => {
    const { resendDeadLetters } = await import('./resend-dead-letters.js')
    return await resendDeadLetters(await findWebhook(stores.webhooks, id), stores, config, say)
  }),
  text: letters => letters.length === 0 ? 'There are no dead letters.' : undefined
})

/** `frontdesk-customer webhook`: addresses that receive the events of the change feed. */
export const webhook = noun('webhook', 'Manage the addresses that receive changes of customers.', [
  add, all, show, remove, enable, resend
])

/** Opens the stores, and Prisma's client for webhooks: a command can wait for it. */
async function withStores<T> (work: (stores: ManagedStores, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  const { stores, now, close } = await openRegister(config)
  const { openClient } = await import('../stores/client.js')
  const client = await openClient(config)
  try {
    if (!stores.feed.isOn) throw new CommandError('The change feed is turned off: FEED_DAYS is 0.')
    return await work({ ...stores, webhooks: { ...stores.webhooks, ...manageWebhooks(client, now) } }, config)
  } finally {
    await client.$disconnect()
    await close()
  }
}

type ManagedStores = Stores & { readonly webhooks: ManagedWebhooks }

async function findWebhook (webhooks: Stores['webhooks'], id: string): Promise<Webhook> {
  const found = await webhooks.find(id)
  if (found === null) throw unknownError(id)
  return found
}

/** Finds the cursor of a position. @throws CommandError */
async function readCursor (feed: Stores['feed'], after = 'latest'): Promise<FeedCursor> {
  if (after === 'latest' || after === 'oldest') return await feed.findEnd(after)
  const cursor = parseCursor(after)
  if (cursor === null) throw new CommandError('A position must be the id of an event, oldest or latest.')
  const page = await feed.read(cursor, 0)
  if (!('gap' in page)) return page.next
  throw new CommandError(`The change feed ${page.gap === 'removed' ? 'no longer has all events after' : 'has no event'} ${after}.`)
}

function unknownError (id: string): CommandError {
  return new CommandError(`There is no webhook ${id}. frontdesk-customer webhook list shows them.`)
}

function withoutSecret (webhook: Webhook) {
  const { id, url, createdAt, failures, failure, disabledReason } = webhook
  const state = disabledReason === null ? failures === 0 ? 'enabled' : 'failing' : `disabled: ${disabledReason}`
  return { id, url, state, createdAt, position: formatCursor(webhook), failures, failure }
}
