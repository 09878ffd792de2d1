import { isLoopback, parseHttpUrl } from '@frontdesk/service-kit/address'
import { readBounded } from '@frontdesk/service-kit/outgoing/fetch-json'
import { explain } from '@frontdesk/service-kit/doctor/explain'
import { FetchError } from '@frontdesk/service-kit/outgoing/failure'
import * as openid from 'openid-client'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { printable } from '../printable.js'

/** In seconds; the sentences name it. */
const TIMEOUT_S = 5

/** Where a user signs in, and with which client. */
export interface Place { readonly issuer: string, readonly clientId: string }

/**
 * Reads the metadata of an authorization server (OpenID Connect Discovery §4).
 * @throws CommandError if the issuer is invalid, unreachable, or another one
 */
export async function connect ({ issuer, clientId }: Place): Promise<openid.Configuration> {
  const url = parseHttpUrl(issuer)
  if (url === undefined) throw new CommandError('The issuer (--issuer or ISSUER) must be an https address, such as https://login.example.')
  const isHere = url.protocol === 'http:' && isLoopback(url.hostname)
  if (url.protocol === 'http:' && !isHere) {
    throw new CommandError(`The issuer (--issuer or ISSUER) must begin with https://: ${issuer} is not on this computer, and others ` +
      'could read the tokens in transit.')
  }
  return await explained(issuer, openid.discovery(url, clientId, undefined, openid.None(), {
    timeout: TIMEOUT_S,
    [openid.customFetch]: fetchBounded,
    execute: isHere ? [openid.allowInsecureRequests] : []
  }))
}

/** Waits for a response of the authorization server. @throws CommandError with the reason; ResponseBodyError if it refused */
export async function explained<T> (issuer: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof openid.ResponseBodyError) throw error
    // as: openid-client throws this for a response outside the protocol.
    const { cause } = error as { cause?: unknown }
    const failure = cause instanceof Response ? new FetchError('status', 'not a protocol response', { detail: `${cause.status}` }) : error
    const asked = { what: 'The server', url: issuer, setting: 'login --issuer' }
    throw new CommandError(isOtherIssuer(error) ?? explain(asked, failure).join(' '), { cause: error })
  }
}

/** Describes the refusal of a server. */
export function refusal ({ issuer }: Place, { error, error_description: description }: openid.ResponseBodyError): string {
  return `${issuer} answered: ${printable(description ?? error)}`
}

function isOtherIssuer (error: unknown): string | undefined {
  // as: openid-client throws this if the metadata has another issuer than the requested one.
  const { cause } = error as { cause?: { attribute?: unknown, expected?: unknown, body?: { issuer?: unknown } } }
  if (cause?.attribute !== 'issuer') return undefined
  return `The server at ${String(cause.expected)} is the issuer ${printable(String(cause.body?.issuer))}. Sign in there, with login --issuer.`
}

const fetchBounded: openid.CustomFetch = async (url, options) => {
  // as: the types of fetch and of openid-client describe the same body.
  const response = await fetch(url, options as RequestInit)
  const body = await readBounded(response)
  const { status, headers } = response
  return new Response(body.length === 0 ? null : body, { status, headers })
}
