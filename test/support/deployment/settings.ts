import { root } from '../stack.js'

/** A service that has settings. */
export type Service = 'auth-server' | 'customer-service' | 'desk'

/** All of them. */
export const services: readonly Service[] = ['auth-server', 'customer-service', 'desk']

/** The names of the environment variables that a service reads. */
export async function settingsOf (service: Service): Promise<string[]> {
  // as: each of them exports its settings under this name, as a TypeBox object.
  const { Settings } = await import(
    new URL(`packages/${service}/dist/src/config.js`, `file://${root}`).href
  ) as { Settings: { properties: object } }
  // The image and Node.js read these.
  return [...Object.keys(Settings.properties), 'NODE_ENV', 'PATH']
}
