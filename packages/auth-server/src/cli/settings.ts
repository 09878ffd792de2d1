import { command } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { loadConfig } from '../config.js'

/** `settings`: prints the settings. */
export const settings = command('settings', {
  says: 'Print the settings that the server would start with here, and where each comes from. Secrets are masked.',
  json: 'the settings with all fields',
  run: async () => loadConfig().settings,
  text: settings => list(['SETTING', 'VALUE', 'FROM'], settings.map(({ name, value, source, file }) => [name, value ?? '-', file ?? source]))
})
