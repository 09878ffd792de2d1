import { ResponseBodyError, tokenRevocation } from 'openid-client'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { connect, explained, refusal } from './authorization-server.js'
import type { SignIn } from './kept-sign-in.js'

/** Revokes all tokens of a sign-in (RFC 7009). @throws CommandError with the reason if they are not revoked */
export async function revoke (signIn: SignIn): Promise<void> {
  const server = await connect(signIn)
  try {
    await explained(signIn.issuer, tokenRevocation(server, signIn.refreshToken ?? signIn.accessToken))
  } catch (error) {
    throw error instanceof ResponseBodyError ? new CommandError(refusal(signIn, error), { cause: error }) : error
  }
}
