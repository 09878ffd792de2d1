import { KeptSignIn, type SignIn } from './kept-sign-in.js'

/** How long the token is valid at least, in milliseconds, unless the server gives shorter ones. */
const MARGIN_MS = 60_000

/** What to do for commands that need a sign-in. */
export const NOT_SIGNED_IN = 'You are not signed in. Run frontdesk-customer login.'

/**
 * An access token of the user who signed in, refreshed if it is about to end; `null` if no one is signed in.
 * @throws CommandError if the sign-in has expired, or its server cannot be reached
 */
export async function currentToken (): Promise<string | null> {
  const kept = new KeptSignIn()
  const signIn = await kept.read()
  if (signIn === null || isLive(signIn)) return signIn?.accessToken ?? null
  return await kept.locked(async () => await renew(kept))
}

/** Refreshes the token, unless another command did meanwhile: the second use of a refresh token ends the access (RFC 9700 §4.14.2). */
async function renew (kept: KeptSignIn): Promise<string | null> {
  const signIn = await kept.read()
  if (signIn === null || isLive(signIn)) return signIn?.accessToken ?? null
  const { refresh } = await import('./tokens.js')
  const next = await refresh(signIn)
  await kept.write(next)
  return next.accessToken
}

function isLive ({ endsAt = Infinity }: SignIn): boolean {
  return endsAt > Date.now() + MARGIN_MS
}
