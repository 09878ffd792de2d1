import { isRemoteHttp, parseHttpUrl } from '@frontdesk/service-kit/address'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** The address of the administration API among the APIs of a server (RFC 9728 §4). @throws CommandError */
export function findApi (server: string, resources: unknown): string {
  const found: unknown = Array.isArray(resources) ? resources.find(it => typeof it === 'string' && it.endsWith('/admin/api')) : undefined
  if (typeof found !== 'string') throw new CommandError(`${server} has no administration API. To turn it on: ADMIN=true`)
  if (parseHttpUrl(found) === undefined || isRemoteHttp(found)) {
    throw new CommandError(`The administration API of ${server} must begin with https://, since others could read the token in transit.`)
  }
  return found
}
