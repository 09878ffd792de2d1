import { refreshTokenGrant, ResponseBodyError } from 'openid-client'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { connect, explained, refusal } from './authorization-server.js'
import type { SignIn } from './kept-sign-in.js'
import { keep } from './sign-in.js'

/** Refreshes the tokens of a sign-in (RFC 6749 §6). @throws CommandError with the reason */
export async function refresh (signIn: SignIn): Promise<SignIn> {
  const ended = `Your sign-in at ${signIn.issuer} has ended. Run frontdesk-customer login again.`
  if (signIn.refreshToken === undefined) throw new CommandError(ended)
  const server = await connect(signIn)
  try {
    return keep(signIn, await explained(signIn.issuer, refreshTokenGrant(server, signIn.refreshToken)), signIn)
  } catch (error) {
    if (!(error instanceof ResponseBodyError)) throw error
    throw new CommandError(error.error === 'invalid_grant' ? ended : refusal(signIn, error), { cause: error })
  }
}
