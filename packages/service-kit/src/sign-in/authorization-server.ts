import { isRemoteHttp, parseHttpUrl } from '../address.js'
import { readBounded } from '../outgoing/fetch-json.js'
import { explain } from '../doctor/explain.js'
import { FetchError } from '../outgoing/failure.js'
import * as openid from 'openid-client'
import { CommandError } from '../cli/errors.js'
import { printable } from '../printable.js'

/** In seconds; the sentences name it. */
const TIMEOUT_S = 5

/** A program that a user signs in with. */
export interface Program {
  readonly name: string
  /** Name of the file with its sign-in, without `.json`. */
  readonly file: string
  /** The option, and the variable, that name the issuer. */
  readonly setting: { readonly option: string, readonly variable: string }
  /** Options of `frontdesk-auth client add` that register it. */
  readonly registration: string
}

/** Where a user signs in, and with which client of a program. */
export interface Place { readonly issuer: string, readonly clientId: string, readonly program: Program }

/**
 * Reads the metadata of an authorization server (OpenID Connect Discovery §4).
 * @throws CommandError if the issuer is invalid, unreachable, or another one
 */
export async function connect ({ issuer, clientId, program }: Place): Promise<openid.Configuration> {
  const name = `The issuer (${program.setting.option} or ${program.setting.variable})`
  const url = parseHttpUrl(issuer)
  if (url === undefined) throw new CommandError(`${name} must be an https address, such as https://login.example.`)
  if (isRemoteHttp(issuer)) {
    throw new CommandError(`${name} must begin with https://: ${issuer} is not on this computer, and others ` +
      'could read the tokens in transit.')
  }
  return await explained({ issuer, program }, openid.discovery(url, clientId, undefined, openid.None(), {
    timeout: TIMEOUT_S,
    [openid.customFetch]: fetchBounded,
    execute: url.protocol === 'http:' ? [openid.allowInsecureRequests] : []
  }))
}

/** Waits for a response of the authorization server. @throws CommandError with the reason; ResponseBodyError if it refused */
export async function explained<T> ({ issuer, program }: Omit<Place, 'clientId'>, asked: Promise<T>): Promise<T> {
  const setting = `login ${program.setting.option}`
  try {
    return await asked
  } catch (error) {
    if (error instanceof openid.ResponseBodyError) throw error
    // as: openid-client throws this for a response outside the protocol.
    const { cause } = error as { cause?: unknown }
    const failure = cause instanceof Response ? new FetchError('status', 'not a protocol response', { detail: `${cause.status}` }) : error
    const asked = { what: 'The server', url: issuer, setting }
    throw new CommandError(isOtherIssuer(error, setting) ?? explain(asked, failure).join(' '), { cause: error })
  }
}

/** Describes the refusal of a server. */
export function refusal ({ issuer }: Pick<Place, 'issuer'>, { error, error_description: description }: openid.ResponseBodyError): string {
  return `${issuer} answered: ${printable(description ?? error)}`
}

function isOtherIssuer (error: unknown, setting: string): string | undefined {
  // as: openid-client throws this if the metadata has another issuer than the requested one.
  const { cause } = error as { cause?: { attribute?: unknown, expected?: unknown, body?: { issuer?: unknown } } }
  if (cause?.attribute !== 'issuer') return undefined
  return `The server at ${String(cause.expected)} is the issuer ${printable(String(cause.body?.issuer))}. Sign in there, with ${setting}.`
}

const fetchBounded: openid.CustomFetch = async (url, options) => {
  // as: the types of fetch and of openid-client describe the same body.
  const response = await fetch(url, options as RequestInit)
  const body = await readBounded(response)
  const { status, headers } = response
  return new Response(body.length === 0 ? null : body, { status, headers })
}
