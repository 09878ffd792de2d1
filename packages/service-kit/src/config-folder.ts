import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The folder of the user's settings (XDG Base Directory Specification). It may not exist. */
export function configFolder (env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: folder = '' } = env
  // The specification ignores paths that are not absolute.
  return join(isAbsolute(folder) ? folder : join(homedir(), '.config'), 'frontdesk')
}
