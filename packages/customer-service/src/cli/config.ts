import { describeMisspelled } from '@frontdesk/service-kit/misspelled'
import { openError } from '@frontdesk/service-kit/doctor/database-error'
import { loadConfig, type Config } from '../config.js'

/**
 * Reads the settings, and names on standard error variables that resemble one: the command may be about another database than
 * is meant. @throws ConfigError if they are invalid
 */
export function readConfig (): Config {
  const config = loadConfig()
  for (const it of config.misspelled) console.error(describeMisspelled(it))
  return config
}

/** Opens the database. @throws CommandError with the reason if it cannot be used, and what to do */
export async function openRegister (config: Config) {
  const { openDatabase } = await import('../stores/open.js')
  return await openDatabase(config).catch((cause: unknown) => { throw openError(config.databaseUrl, cause) })
}
