import type { Program } from './authorization-server.js'
import { StoredSignIn, type SignIn } from './stored-sign-in.js'

/** Minimum remaining lifetime of the token, unless the server issues shorter ones. */
const MARGIN_MS = 60_000

/** The sentence for a user who has not signed in. */
export function notSignedIn ({ name }: Program): string {
  return `You are not signed in. Run ${name} login.`
}

/**
 * Returns an access token of the user who signed in, and refreshes it if it expires soon; `null` without a sign-in.
 * @throws CommandError if the sign-in has expired, or its server cannot be reached
 */
export async function currentToken (program: Program): Promise<string | null> {
  const stored = new StoredSignIn(program)
  const signIn = await stored.read()
  if (signIn === null || isLive(signIn)) return signIn?.accessToken ?? null
  return await stored.locked(async () => await renew(program, stored))
}

/** Refreshes the token, unless another command has: using a refresh token twice revokes the access (RFC 9700 §4.14.2). */
async function renew (program: Program, stored: StoredSignIn): Promise<string | null> {
  const signIn = await stored.read()
  if (signIn === null || isLive(signIn)) return signIn?.accessToken ?? null
  const { refresh } = await import('./tokens.js')
  const next = await refresh({ ...signIn, program })
  await stored.write(next)
  return next.accessToken
}

/** Whether the access token has not expired, and does not soon. */
export function isLive ({ endsAt = Infinity }: SignIn): boolean {
  return endsAt > Date.now() + MARGIN_MS
}
