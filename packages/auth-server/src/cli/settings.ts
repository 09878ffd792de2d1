import { command } from '@frontdesk/service-kit/cli/command'
import { list } from '@frontdesk/service-kit/cli/table'
import { loadConfig, type Config } from '../config.js'
import type { Items } from './remote/api.js'

/** `settings`: prints the settings. */
export const settings = command('settings', {
  says: 'Print the settings with which the server would start here, and where each comes from. Masks secrets.',
  json: 'the settings with all fields',
  run: async () => loadConfig().settings,
  remote: async api => (await api.get<Items<Config['settings'][number]>>('/settings')).items,
  text: settings =>
    list(['SETTING', 'VALUE', 'FROM'], settings.map(({ name, value, source, file }) => [name, value ?? '-', file ?? source]))
})
