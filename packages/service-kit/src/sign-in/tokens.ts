import {
  refreshTokenGrant, ResponseBodyError, tokenRevocation, type TokenEndpointResponse, type TokenEndpointResponseHelpers
} from 'openid-client'
import { CommandError } from '../cli/errors.js'
import { connect, explained, refusal, type Place, type Program } from './authorization-server.js'
import type { SignIn } from './stored-sign-in.js'

/** A sign-in, and the program that uses it. */
type UsedSignIn = SignIn & { readonly program: Program }

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** A token (RFC 6749 §A.12, §A.17) without spaces, for a header. */
const TOKEN = /^[\x21-\x7e]+$/

/**
 * Converts a response with tokens to a sign-in.
 * @param before its resource stays, and its refresh token if the response has none (RFC 6749 §6)
 * @throws CommandError if a token has characters that could change a terminal's output or a request
 */
export function toSignIn ({ issuer, clientId }: Place, tokens: Tokens, before?: Partial<SignIn>): SignIn {
  const refreshToken = tokens.refresh_token ?? before?.refreshToken
  const seconds = tokens.expiresIn()
  if (!TOKEN.test(tokens.access_token) || (refreshToken !== undefined && !TOKEN.test(refreshToken))) {
    throw new CommandError(`${issuer} returned a token with invalid characters (RFC 6749 appendix A).`)
  }
  return {
    issuer,
    clientId,
    accessToken: tokens.access_token,
    ...(seconds !== undefined && { endsAt: Date.now() + seconds * 1_000 }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(before?.resource !== undefined && { resource: before.resource })
  }
}

/** Refreshes the tokens of a sign-in (RFC 6749 §6). @throws CommandError with the reason */
export async function refresh (signIn: UsedSignIn): Promise<SignIn> {
  const ended = `Your sign-in at ${signIn.issuer} has expired or was revoked. Run ${signIn.program.name} login again.`
  if (signIn.refreshToken === undefined) throw new CommandError(ended)
  const server = await connect(signIn)
  try {
    return toSignIn(signIn, await explained(signIn, refreshTokenGrant(server, signIn.refreshToken)), signIn)
  } catch (error) {
    if (!(error instanceof ResponseBodyError)) throw error
    throw new CommandError(error.error === 'invalid_grant' ? ended : refusal(signIn, error), { cause: error })
  }
}

/** Revokes all tokens of a sign-in (RFC 7009). @throws CommandError with the reason if that fails */
export async function revoke (signIn: UsedSignIn): Promise<void> {
  const server = await connect(signIn)
  try {
    await explained(signIn, tokenRevocation(server, signIn.refreshToken ?? signIn.accessToken))
  } catch (error) {
    throw error instanceof ResponseBodyError ? new CommandError(refusal(signIn, error), { cause: error }) : error
  }
}
