import { dbCommands } from '@frontdesk/database/db-command'
import { readConfig } from './config.js'

/** `db copy` and `db backup`. */
export const db = dbCommands({
  readSettings: readConfig,
  copy: async (...given) => await (await import('../stores/maintain.js')).copyRegister(...given)
})
