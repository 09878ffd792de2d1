import { doctorCommand } from '@frontdesk/service-kit/cli/doctor'

/** `doctor`: checks an installation and suggests remedies. */
export const doctor = doctorCommand({
  says: 'Check the settings, the database, the clients, the keys, the clock and the public address.',
  service: 'auth-server',
  examine: async () => (await import('./doctor/examine.js')).examine()
})
