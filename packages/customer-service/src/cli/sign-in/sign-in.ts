import * as openid from 'openid-client'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { printable } from '../printable.js'
import { connect, explained, refusal, type Place } from './authorization-server.js'
import { StoredSignIn } from './stored-sign-in.js'
import { toSignIn, revoke, type Tokens } from './tokens.js'

const EXPIRED = 'The code expired before access was allowed. Run frontdesk-customer login again.'

/** Reasons and remedies of a failed `login`, by the error of the server. */
const FAILURES: Record<string, (place: Place) => string> = {
  invalid_client: ({ issuer, clientId }) => `${issuer} has no client ${clientId}. ${register(clientId)}`,
  unauthorized_client: ({ issuer, clientId }) =>
    `${clientId} cannot sign in devices at ${issuer}. Use another client. ${register('frontdesk-customer')}`,
  access_denied: () => 'Access was denied. Nothing has changed on this computer.',
  expired_token: () => EXPIRED
}

interface SignedIn {
  readonly issuer: string
  readonly username: string | undefined
  /** An earlier sign-in was not revoked. */
  readonly warning: string | undefined
}

/**
 * Signs a user in with the device grant (RFC 8628), and stores the tokens. Revokes an earlier sign-in.
 * @throws CommandError with the reason if that fails
 */
export async function signIn ({ scope, ...place }: Place & { readonly scope: string }, print: (line: string) => void): Promise<SignedIn> {
  const server = await connect(place)
  const stored = new StoredSignIn()
  // Finds out whether the folder is usable before the user signs in.
  await stored.locked(async () => {})
  const tokens = await requestTokens(server, place, scope, print)
  const next = toSignIn(place, tokens)
  const name = await fetchUsername(server, tokens).catch(() => undefined)
  const before = await stored.locked(async () => {
    const before = await stored.read().catch(() => null)
    await stored.write(next)
    return before
  }).catch(async error => {
    await revoke(next).catch(() => {})
    throw error
  })
  const failure = before === null ? undefined : await revoke(before).then(() => undefined, (error: Error) => error.message)
  return {
    issuer: place.issuer,
    username: name && printable(name),
    warning: failure && `The earlier sign-in was not revoked. ${failure}`
  }
}

async function requestTokens (server: openid.Configuration, place: Place, scope: string, print: (line: string) => void) {
  if (server.serverMetadata().device_authorization_endpoint === undefined) {
    throw new CommandError(`${place.issuer} cannot sign in devices: it has no device authorization grant (RFC 8628).`)
  }
  let endsAt = Infinity
  try {
    const codes = await explained(place.issuer, openid.initiateDeviceAuthorization(server, { scope }))
    endsAt = Date.now() + codes.expires_in * 1_000
    print(`Open ${printable(codes.verification_uri)} and enter the code ${printable(codes.user_code)}`)
    return await explained(place.issuer, openid.pollDeviceAuthorizationGrant(server, codes))
  } catch (error) {
    if (error instanceof openid.ResponseBodyError) {
      const why = FAILURES[error.error]?.(place) ?? `You are not signed in at ${place.issuer}. ${refusal(place, error)}`
      throw new CommandError(why, { cause: error })
    }
    // openid-client stops polling by itself.
    throw Date.now() < endsAt ? error : new CommandError(EXPIRED, { cause: error })
  }
}

async function fetchUsername (server: openid.Configuration, tokens: Tokens) {
  const sub = tokens.claims()?.sub
  if (sub === undefined) return undefined
  const { preferred_username: name } = await openid.fetchUserInfo(server, tokens.access_token, sub)
  return typeof name === 'string' ? name : sub
}

function register (clientId: string): string {
  return `Register it there: frontdesk-auth client add ${clientId} --name 'Customer register' ` +
    '--grant urn:ietf:params:oauth:grant-type:device_code --grant refresh_token'
}
