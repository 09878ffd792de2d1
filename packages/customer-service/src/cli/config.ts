import { describeMisspelled } from '@frontdesk/service-kit/misspelled'
import type { Config } from '../config.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/**
 * Reads the settings, and names on standard error variables that resemble one: the command may be about another database than
 * is meant. @throws ConfigError if they are invalid
 */
export async function readConfig (): Promise<Config> {
  const { loadConfig } = await import('../config.js')
  const config = loadConfig()
  for (const it of config.misspelled) console.error(describeMisspelled(it))
  return config
}

/** Opens the database. @throws CommandError with the reason if it cannot be used, and what to do */
export async function openRegister (config: Config) {
  const { openDatabase } = await import('../stores/open.js')
  return await openDatabase(config).catch(async (cause: unknown) => {
    const { databaseError } = await import('@frontdesk/service-kit/doctor/database-error')
    const error = databaseError(config.databaseUrl, cause)
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause })
  })
}
