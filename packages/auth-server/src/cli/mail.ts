import { command, noun } from '@frontdesk/service-kit/cli/command'
import { loadConfig } from '../config.js'
import { path } from './remote/api.js'
import { findRemoteUser } from './remote/users.js'
import { withStores } from './with-stores.js'

const test = command('test <username>', {
  says: 'Send a test email to the verified email address of a user.',
  run: async ({ username }) => await withStores(async (stores, by) => {
    // Loaded on demand: it can send email.
    const { sendTestMail } = await import('../admin/mail.js')
    return await sendTestMail(stores, username, loadConfig(), by)
  }),
  remote: async (api, { username }) => {
    const { id } = await findRemoteUser(api, username)
    return await api.post<{ readonly mailedTo: string }>(path`/users/${id}/test-mail`)
  },
  text: ({ mailedTo }) => `Sent a test email to ${mailedTo}.`
})

/** Commands for email. */
export const mail = noun('mail', 'Test whether email works.', [test])
