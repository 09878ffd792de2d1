import { list, table } from '@frontdesk/service-kit/cli/table'
import type { Command } from 'commander'
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.js'
import { formatCursor, parseCursor, type FeedCursor } from '../../stores/changes/feed-cursor.js'
import type { Stores } from '../../stores/open.js'
import type { Webhook } from '../../stores/webhooks/webhooks.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { openRegister, readConfig } from '../config.js'

/** `frontdesk-customer webhook`: addresses that events of the change feed are sent to. */
export function webhook (program: Command): void {
  const group = program.command('webhook').description('Manage the addresses that changes of customers are sent to.')

  group.command('add <url>')
    .description('Add an address, and print the secret that signs its events: it is not shown again.')
    .option('--after <position>', 'also events that are in the change feed already: after the one with this id, or oldest; default: latest')
    .action(async (url: string, { after }: { after?: string }) => await withStores(async ({ webhooks, feed }, { allowPrivateNetworks }) => {
      const { whyNotOutgoing } = await import('@frontdesk/service-kit/outgoing/outgoing')
      const why = whyNotOutgoing(url, allowPrivateNetworks)
      if (why !== null) throw new CommandError(`The address of a webhook must be ${why}.`)
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      const id = `wh_${randomBytes(9).toString('base64url')}`
      const { position, mark } = await readCursor(feed, after)
      if (!await webhooks.add({ id, url, secret, position, mark })) throw new CommandError('There are 100 webhooks already. Remove one first.')
      console.log(`Added the webhook ${id}. Its secret, which is not shown again:\n${secret}`)
    }))

  group.command('list').description('List the webhooks.').action(async () => await withStores(async ({ webhooks }) => {
    const all = await webhooks.list()
    console.log(all.length === 0 ? 'There are no webhooks.' : list(['ID', 'ADDRESS', 'STATE'], all.map(it => [it.id, it.url, stateOf(it)])))
  }))

  group.command('show <id>')
    .description('Show a webhook and its dead letters.')
    .action(async (id: string) => await withStores(async ({ webhooks }) => {
      const found = await findWebhook(webhooks, id)
      const letters = await webhooks.listDeadLetters(id)
      console.log(table([
        ['ID', id],
        ['Address', found.url],
        ['State', stateOf(found)],
        ['Added', found.createdAt.toISOString()],
        ['Position', formatCursor(found)],
        ['Failures', `${found.failures}${found.failure === null ? '' : `: ${found.failure}`}`],
        ['Dead letters', `${letters.length}`]
      ]))
      if (letters.length > 0) console.log(list(['EVENT', 'FAILED AT', 'REASON'], letters.map(it => [`${it.position}`, it.at.toISOString(), it.reason])))
    }))

  group.command('remove <id>')
    .description('Remove a webhook and its dead letters.')
    .action(async (id: string) => await withStores(async ({ webhooks }) => {
      if (!await webhooks.remove(id)) throw unknownError(id)
      console.log(`Removed the webhook ${id}.`)
    }))

  group.command('enable <id>')
    .description('Deliver to a webhook again, at once: after it was disabled, or while it waits for the next attempt.')
    .option('--after <position>', 'from the event after the one with this id on, from the oldest one, or latest: from the present')
    .action(async (id: string, { after }: { after?: string }) => await withStores(async ({ webhooks, feed }) => {
      const cursor = after === undefined ? undefined : await readCursor(feed, after)
      if (!await webhooks.enable(id, cursor)) throw unknownError(id)
      console.log(`The webhook ${id} is enabled.`)
    }))

  group.command('resend <id>')
    .description('Send the dead letters of a webhook once more, and print what became of each.')
    .action(async (id: string) => await withStores(async (stores, config) => {
      const { resend } = await import('./resend.js')
      await resend(await findWebhook(stores.webhooks, id), stores, config)
    }))
}

async function withStores (work: (stores: Stores, config: Config) => Promise<void>): Promise<void> {
  const config = await readConfig()
  const { stores, close } = await openRegister(config)
  try {
    if (!stores.feed.isOn) throw new CommandError('The change feed is turned off: FEED_DAYS is 0.')
    await work(stores, config)
  } finally {
    await close()
  }
}

async function findWebhook (webhooks: Stores['webhooks'], id: string): Promise<Webhook> {
  const found = await webhooks.find(id)
  if (found === null) throw unknownError(id)
  return found
}

/** Where events after a position begin. @throws CommandError */
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

function stateOf ({ disabledReason, failures }: Webhook): string {
  return disabledReason === null ? failures === 0 ? 'enabled' : 'failing' : `disabled: ${disabledReason}`
}
