import { doctorCommand } from '@frontdesk/service-kit/cli/doctor'
import type { Finding } from '@frontdesk/service-kit/doctor/finding'

/** `doctor`: checks an installation and suggests remedies. */
export const doctor = doctorCommand({
  says: 'Check the settings, the database, the clients, the keys, the clock and the public address.',
  service: 'auth-server',
  remote: async api => (await api.get<{ readonly findings: readonly Finding[] }>('/health')).findings,
  examine: async () => (await import('./doctor/examine.js')).examine()
})
