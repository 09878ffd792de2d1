import t from 'tap'
import { buildOnce } from '../helper.js'
import { startReceiver } from '../customer/webhooks/receiver.js'
import { run } from './frontdesk-customer.js'

t.test('a webhook is added, shown, enabled, sent its dead letters and removed', async t => {
  const { config, webhooks, feed, register } = await buildOnce(t)
  const { url, state } = await startReceiver(t)
  const command = async (...args: string[]) => await run(['webhook', ...args], { DATABASE_URL: config.databaseUrl, AUTH: 'none' })
  await register(1)
  await register(2)
  await feed.read('latest', 0)

  const added = await command('add', url)
  const [, id = '', secret] = /^Added the webhook (wh_\S+)\. Its secret, which is not shown again:\n(whsec_[\w+/]{43}=)\n$/.exec(added.stdout)!
  t.match(await webhooks.find(id), { url, secret, position: 2 })
  for (const [args, sentence] of [
    [['add', 'ftp://example.com/'], 'The address of a webhook must be https.'],
    [['add', url, '--after', '9'], 'The change feed has not yet all events after 9.'],
    [['enable', 'wh_0'], 'There is no webhook wh_0. frontdesk-customer webhook list shows them.']
  ] as const) t.match(await command(...args), { code: 1, stderr: `${sentence}\n` })

  await webhooks.disable({ id, position: 2 }, 'The receiver answered with status 410.')
  t.match(await command('list'), { stdout: / {2}disabled: The receiver answered with status 410\. {2}/ })
  t.match(await command('enable', id, '--after', '0'), { stdout: `The webhook ${id} is enabled.\n` })
  t.match(await webhooks.find(id), { position: 0, disabledReason: null })

  await webhooks.giveUp({ id, position: 0 }, 1, 'a reason')
  t.match(await command('show', id), { stdout: /^dead letters {2}1\n {2}1 {2}\S+ {2}a reason\n$/m })
  // The receiver knows another secret.
  state.statuses.push(500)
  t.match(await command('resend', id), { code: 1, stderr: /^Event 1: / })
  t.equal(state.requests, 1)
  t.match(await command('remove', id), { stdout: `Removed the webhook ${id}.\n` })
})
