import { root } from '../stack.js'

const files = { 'auth-server': 'config.js', 'customer-service': 'config/settings.js' }

/** A service that has settings. */
export type Service = keyof typeof files

/** Both. */
export const services: readonly Service[] = ['auth-server', 'customer-service']

/** The names of the environment variables that a service reads. */
export async function settingsOf (service: Service): Promise<string[]> {
  // as: both services export their settings under this name, as a TypeBox object.
  const { Settings } = await import(new URL(`packages/${service}/dist/src/${files[service]}`, `file://${root}`).href) as { Settings: { properties: object } }
  // The image and Node.js read these.
  return [...Object.keys(Settings.properties), 'NODE_ENV', 'PATH']
}
