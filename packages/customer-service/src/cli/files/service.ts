import { isRemoteHttp, parseHttpUrl } from '@frontdesk/service-kit/address'
import { explain } from '@frontdesk/service-kit/doctor/explain'
import { classifyFailure, isOutOfReach } from '@frontdesk/service-kit/outgoing/failure'
import type { IncomingMessage } from 'node:http'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { currentToken } from '@frontdesk/service-kit/sign-in/current-token'
import { program } from '../program.js'
import { TransientError } from './transient-error.js'
import { otherServer, responseError } from './refusal.js'
import { send, type HttpRequest } from './send.js'

/** The customer-service that a command calls. */
export interface Service {
  readonly url: URL
  /** Returns an access token for the next request; `null`: send none. */
  readonly token: () => Promise<string | null>
}

/**
 * Describes the service at an address. Requests have the token of the user who signed in; without a sign-in they have none,
 * which a service with `AUTH=none` accepts.
 * @throws CommandError if the address is invalid
 */
export function findService (address: string): Service {
  const url = parseHttpUrl(address)
  if (url === undefined) throw new CommandError('--url must be an https address, such as https://customers.example.')
  return { url, token: async () => await currentToken(program) }
}

/**
 * Sends a request and reads the response if its status is 200, 201 or 204.
 * @throws CommandError with the reason; {@link TransientError} if a retry may succeed
 */
export async function call<T> (
  { url, token }: Service, path: string, request: Omit<HttpRequest, 'onConnect'>, read: (response: IncomingMessage) => Promise<T>
): Promise<T> {
  const accessToken = await token()
  if (accessToken !== null && isRemoteHttp(url.href)) {
    throw new CommandError(`--url must begin with https://: ${url.host} is not on this computer, and others could read the token ` +
      'on its way.')
  }
  const headers = { ...request.headers, ...accessToken === null ? {} : { authorization: `Bearer ${accessToken}` } }
  const collectionUrl = `${url.href.replace(/\/$/, '')}/rest/qa/customer`
  let wasReached = false
  const onConnect = () => { wasReached = true }
  try {
    const response = await send(new URL(collectionUrl + path), { ...request, headers, onConnect })
    if (![200, 201, 204].includes(response.statusCode ?? 0)) throw await responseError(response, url, accessToken !== null)
    return await read(response)
  } catch (error) {
    if (error instanceof CommandError || classifyFailure(error) === 'other') throw error
    const sentences = explain({ what: 'customer-service', url: url.href, setting: '--url' }, error).join(' ')
    if (!isOutOfReach(error)) throw new CommandError(sentences, { cause: error })
    throw wasReached ? lost(url, error) : new TransientError(sentences, { wasReached, cause: error })
  }
}

/** Makes the error of an interrupted transfer. */
export function lost ({ host }: URL, cause?: unknown): TransientError {
  return new TransientError(`The connection to ${host} was lost.`, { cause })
}

/**
 * Checks the media type of a response. A proxy can turn an interrupted transfer into a response without a type.
 * @throws CommandError for another type; {@link TransientError} without a type
 */
export function assertType (response: IncomingMessage, expected: string, url: URL): void {
  const type = response.headers['content-type']
  if (type?.toLowerCase().startsWith(expected) === true) return
  response.destroy()
  throw type === undefined ? lost(url) : otherServer(url, type.includes('html') ? 'html' : 'no json', 200)
}
