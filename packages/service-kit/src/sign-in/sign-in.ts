import * as openid from 'openid-client'
import { CommandError } from '../cli/errors.js'
import { printable } from '../printable.js'
import { connect, explained, refusal, type Place, type Program } from './authorization-server.js'
import { StoredSignIn } from './stored-sign-in.js'
import { toSignIn, revoke, type Tokens } from './tokens.js'

const expired = ({ program }: Place) => `The code expired before access was allowed. Run ${program.name} login again.`

/** Reasons and remedies of a failed `login`, by the error of the server. */
const FAILURES: Record<string, (place: Place) => string> = {
  invalid_client: ({ issuer, clientId, program }) => `${issuer} has no client ${clientId}. ${register(program, clientId)}`,
  unauthorized_client: ({ issuer, clientId, program }) =>
    `${clientId} cannot sign in devices at ${issuer}. Use another client. ${register(program)}`,
  access_denied: () => 'Access was denied. Nothing has changed on this computer.',
  expired_token: expired
}

/** The access to request. */
interface Request extends Place {
  readonly scope: string
  /** What the sign-in must be like (RFC 9470 §4). */
  readonly required?: { readonly acr_values?: string, readonly max_age?: string }
  /** Finds the API that the token is for, in the server's metadata. @throws CommandError */
  readonly findResource?: (metadata: Readonly<openid.ServerMetadata>) => string
}

/** Who has signed in, and where. */
export interface SignedIn {
  readonly issuer: string
  readonly username: string | undefined
  /** An earlier sign-in was not revoked. */
  readonly warning: string | undefined
}

/**
 * Signs a user in with the device grant (RFC 8628), and stores the tokens. Revokes an earlier sign-in.
 * @throws CommandError with the reason if that fails
 */
export async function signIn ({ scope, required, findResource, ...place }: Request, print: (line: string) => void): Promise<SignedIn> {
  const server = await connect(place)
  const resource = findResource?.(server.serverMetadata())
  const stored = new StoredSignIn(place.program)
  // Finds out whether the folder is usable before the user signs in.
  await stored.locked(async () => {})
  const wanted = { scope, ...required, ...resource !== undefined && { resource } }
  const tokens = await requestTokens(server, place, wanted, print)
  const next = toSignIn(place, tokens, wanted)
  const name = await fetchUsername(server, tokens).catch(() => undefined)
  const before = await stored.locked(async () => {
    const before = await stored.read().catch(() => null)
    await stored.write(next)
    return before
  }).catch(async error => {
    await revoke({ ...next, program: place.program }).catch(() => {})
    throw error
  })
  const failure = before === null
    ? undefined
    : await revoke({ ...before, program: place.program }).then(() => undefined, (error: Error) => error.message)
  return {
    issuer: place.issuer,
    username: name && printable(name),
    warning: failure && `The earlier sign-in was not revoked. ${failure}`
  }
}

async function requestTokens (server: openid.Configuration, place: Place, wanted: Record<string, string>, print: (line: string) => void) {
  if (server.serverMetadata().device_authorization_endpoint === undefined) {
    throw new CommandError(`${place.issuer} cannot sign in devices: it has no device authorization grant (RFC 8628).`)
  }
  let endsAt = Infinity
  try {
    const codes = await explained(place, openid.initiateDeviceAuthorization(server, wanted))
    endsAt = Date.now() + codes.expires_in * 1_000
    print(`Open ${printable(codes.verification_uri)} and enter the code ${printable(codes.user_code)}`)
    return await explained(place, openid.pollDeviceAuthorizationGrant(server, codes))
  } catch (error) {
    if (error instanceof openid.ResponseBodyError) {
      const why = FAILURES[error.error]?.(place) ?? `You are not signed in at ${place.issuer}. ${refusal(place, error)}`
      throw new CommandError(why, { cause: error })
    }
    // openid-client stops polling by itself.
    throw Date.now() < endsAt ? error : new CommandError(expired(place), { cause: error })
  }
}

async function fetchUsername (server: openid.Configuration, tokens: Tokens) {
  const sub = tokens.claims()?.sub
  if (sub === undefined) return undefined
  const { preferred_username: name } = await openid.fetchUserInfo(server, tokens.access_token, sub)
  return typeof name === 'string' ? name : sub
}

function register ({ name, registration }: Program, clientId = name): string {
  return `Register it there: frontdesk-auth client add ${clientId} ${registration}`
}
