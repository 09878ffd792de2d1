import { root } from './stack.js'

/** A compiled module of a service. The tests have it by its place, since the packages export nothing to each other. */
export async function load<T> (service: 'auth-server' | 'customer-service', module: string): Promise<T> {
  // as: the caller names the type of what that file exports.
  return await import(new URL(`packages/${service}/dist/src/${module}`, `file://${root}`).href) as T
}
