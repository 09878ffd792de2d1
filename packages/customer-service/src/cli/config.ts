import { describeMisspelled } from '@frontdesk/service-kit/misspelled'
import type { Config } from '../config.js'

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
