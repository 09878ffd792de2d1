import t from 'tap'
import { buildOnce } from '../support/helper.js'
import { startReceiver } from '../support/customer/webhooks/receiver.js'
import { run } from '../support/cli/frontdesk-customer.js'

t.test('a webhook is added, shown, enabled, sent its dead letters and removed', async t => {
  const { config, webhooks, feed, register } = await buildOnce(t)
  const { url, state } = await startReceiver(t)
  const command = async (...args: string[]) => await run(['webhook', ...args], { DATABASE_URL: config.databaseUrl, AUTH: 'none' })
  await register(1)
  await register(2)
  const oldest = await feed.findEnd('oldest')
  const latest = await feed.findEnd('latest')

  const added = await command('add', url)
  const [, id = '', secret] = /^Added the webhook (wh_\S+)\. Its secret, which is shown only once:\n(whsec_[\w+/]{43}=)\n$/.exec(added.stdout)!
  t.match(await webhooks.find(id), { url, secret, ...latest })
  for (const [args, sentence] of [
    [['add', 'ftp://example.com/'], 'The address of a webhook must be an https URL.'],
    [['add', url, '--after', '9'], 'A position must be the id of an event, oldest or latest.'],
    [['add', url, '--after', '1-aaaaaaaaaaaa'], 'The change feed has no event 1-aaaaaaaaaaaa.'],
    [['enable', 'wh_0'], 'There is no webhook wh_0. frontdesk-customer webhook list shows them.']
  ] as const) t.match(await command(...args), { code: 1, stderr: `${sentence}\n` })

  await webhooks.disable({ id, ...latest }, 'The receiver answered with status 410.')
  t.match(await command('list'), { stdout: / {2}disabled: The receiver answered with status 410\.$/m })
  t.match(await command('enable', id, '--after', 'oldest'), { stdout: `The webhook ${id} is enabled.\n` })
  t.match(await webhooks.find(id), { ...oldest, disabledReason: null })

  t.match(JSON.parse((await command('show', id, '--json')).stdout), { id, url, state: 'enabled', failures: 0, deadLetters: [] })
  await webhooks.giveUp({ id, ...oldest }, { ...latest, position: 1 }, 'a reason')
  t.match(await command('show', id), { stdout: /^Dead letters {2}1\nEVENT .*\n1 +\S+ {2}a reason\n$/m })
  // The receiver knows another secret.
  state.statuses.push(500)
  t.match(await command('resend', id), { code: 1, stderr: /^Event 1: / })
  t.equal(state.requests, 1)
  t.match(await command('remove', id), { stdout: `Removed the webhook ${id}.\n` })
})
