import { StoredSignIn, type SignIn } from './stored-sign-in.js'

/** Minimum remaining lifetime of the token, unless the server issues shorter ones. */
const MARGIN_MS = 60_000

export const NOT_SIGNED_IN = 'You are not signed in. Run frontdesk-customer login.'

/**
 * Returns an access token of the user who signed in, and refreshes it if it expires soon; `null` without a sign-in.
 * @throws CommandError if the sign-in has expired, or its server cannot be reached
 */
export async function currentToken (): Promise<string | null> {
  const stored = new StoredSignIn()
  const signIn = await stored.read()
  if (signIn === null || isLive(signIn)) return signIn?.accessToken ?? null
  return await stored.locked(async () => await renew(stored))
}

/** Refreshes the token, unless another command has: using a refresh token twice revokes the access (RFC 9700 §4.14.2). */
async function renew (stored: StoredSignIn): Promise<string | null> {
  const signIn = await stored.read()
  if (signIn === null || isLive(signIn)) return signIn?.accessToken ?? null
  const { refresh } = await import('./tokens.js')
  const next = await refresh(signIn)
  await stored.write(next)
  return next.accessToken
}

function isLive ({ endsAt = Infinity }: SignIn): boolean {
  return endsAt > Date.now() + MARGIN_MS
}
