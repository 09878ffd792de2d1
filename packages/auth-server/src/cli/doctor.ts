import { doctorCommand } from '@frontdesk/service-kit/cli/doctor'
import type { Health } from '../admin/health.js'

/** `doctor`: checks an installation and suggests remedies. */
export const doctor = doctorCommand({
  says: 'Check the settings, the database, the clients, the keys, the clock and the public address.',
  service: 'auth-server',
  remote: async api => (await api.get<Health>('/health')).findings,
  examine: async () => (await import('./doctor/examine.js')).examine()
})
