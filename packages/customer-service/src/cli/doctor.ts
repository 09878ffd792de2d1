import { doctorCommand } from '@frontdesk/service-kit/cli/doctor'

/** `doctor`: checks an installation and suggests remedies. */
export const doctor = doctorCommand({
  says: 'Check the settings, the authorization server, the database and the public address.',
  options: { '--token': 'read an access token from standard input and explain why it is accepted or not' },
  service: 'customer-service',
  async examine ({ token }) {
    const [{ examine }, { readToken }] = await Promise.all([import('./doctor/examine.js'), import('./doctor/token.js')])
    return examine(token ? await readToken() : undefined)
  }
})
