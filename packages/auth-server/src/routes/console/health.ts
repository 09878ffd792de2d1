import { checkHealth } from '../../admin/health.js'
import { readMailState, sendTestMail } from '../../admin/mail.js'
import { message } from '../../languages/translator.js'
import { action, page } from './define.js'
import { showEvent } from './events.js'

/** The checks of the running server, and whether email works. */
export const health = page('/health', { section: 'health' }, async ({ stores, config }) => {
  const [{ findings }, mail] = await Promise.all([checkHealth(stores, config), readMailState(stores, config)])
  return {
    view: 'health',
    title: message('console.navigation.health'),
    data: { findings, mail, events: mail.failures.map(showEvent) }
  }
})

export const testMail = action('test-mail', '/health/test-mail', {
  page: health, right: 'manage', isSensitive: true, done: 'console.health.test-mail-sent'
}, async ({ stores, config, by }) => {
  // as: only users visit the console.
  const { userId } = by as Extract<typeof by, { kind: 'user' }>
  await sendTestMail(stores, { id: userId }, config, by)
  return '/health'
})
