import { describeMisspelled } from '@frontdesk/service-kit/misspelled'
import { openError } from '@frontdesk/service-kit/doctor/database-error'
import { loadConfig, type Config } from '../config.js'

/**
 * Reads the settings, and warns of variables that resemble one on standard error: a typo could select another database.
 * @throws ConfigError if they are invalid
 */
export function readConfig (): Config {
  const config = loadConfig()
  for (const it of config.misspelled) console.error(describeMisspelled(it))
  return config
}

/** Opens the database. @throws CommandError with the reason and the remedy if it cannot be used */
export async function openRegister (config: Config) {
  const { openDatabase } = await import('../stores/open.js')
  return await openDatabase(config).catch((cause: unknown) => { throw openError(config.databaseUrl, cause) })
}
