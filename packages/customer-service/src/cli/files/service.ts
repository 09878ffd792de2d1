import { isLoopback, parseHttpUrl } from '@frontdesk/service-kit/address'
import { explain } from '@frontdesk/service-kit/doctor/explain'
import { classifyFailure, isOutOfReach } from '@frontdesk/service-kit/outgoing/failure'
import type { IncomingMessage } from 'node:http'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { currentToken } from '../sign-in/current-token.js'
import { PassingError } from './passing-error.js'
import { otherServer, refusalOf } from './refusal.js'
import { send, type HttpRequest } from './send.js'

/** customer-service, as a command calls it. */
export interface Service {
  readonly url: URL
  /** An access token for the next request; `null`: none is sent. */
  readonly token: () => Promise<string | null>
}

/**
 * Finds the service at an address, with the token of the user who signed in. Without a sign-in, no token is sent: a service
 * that needs none (`AUTH=none`) accepts that.
 * @throws CommandError if the address is not valid
 */
export function findService (address: string): Service {
  const url = parseHttpUrl(address)
  if (url === undefined) throw new CommandError('--url must be an https address, such as https://customers.example.')
  return { url, token: currentToken }
}

/**
 * Sends a request and reads the response, if it is 200.
 * @throws CommandError with the reason; {@link PassingError} if another attempt may succeed
 */
export async function ask<T> (
  { url, token }: Service, path: string, request: Omit<HttpRequest, 'onConnect'>, read: (response: IncomingMessage) => Promise<T>
): Promise<T> {
  const accessToken = await token()
  if (accessToken !== null && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new CommandError(`--url must begin with https://: ${url.host} is not on this computer, and others could read the token on its way.`)
  }
  const headers = { ...request.headers, ...accessToken === null ? {} : { authorization: `Bearer ${accessToken}` } }
  const home = `${url.href.replace(/\/$/, '')}/rest/qa/customer`
  let wasReached = false
  const onConnect = () => { wasReached = true }
  try {
    const response = await send(new URL(home + path), { ...request, headers, onConnect })
    if (response.statusCode !== 200) throw await refusalOf(response, url, accessToken !== null)
    return await read(response)
  } catch (error) {
    if (error instanceof CommandError || classifyFailure(error) === 'other') throw error
    const sentences = explain({ what: 'customer-service', url: url.href, setting: '--url' }, error).join(' ')
    if (!isOutOfReach(error)) throw new CommandError(sentences, { cause: error })
    throw wasReached ? lost(url, error) : new PassingError(sentences, { wasReached, cause: error })
  }
}

/** The error of a transfer that broke off. */
export function lost ({ host }: URL, cause?: unknown): PassingError {
  return new PassingError(`The connection to ${host} was lost.`, { cause })
}

/**
 * Checks that a response has the type of the service. One without a type is what a proxy makes of a transfer that broke off.
 * @throws CommandError if it has not; {@link PassingError} if it broke off
 */
export function assertType (response: IncomingMessage, expected: string, url: URL): void {
  const type = response.headers['content-type']
  if (type?.toLowerCase().startsWith(expected) === true) return
  response.destroy()
  throw type === undefined ? lost(url) : otherServer(url, type.includes('html') ? 'html' : 'no json', 200)
}
