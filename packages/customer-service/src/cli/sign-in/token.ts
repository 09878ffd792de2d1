import type { Command } from 'commander'
import { CommandError } from '../command-error.js'
import type { KeptSignIn, SignIn } from './kept-sign-in.js'

/** How long a printed token is valid at least, in milliseconds, unless the server gives shorter ones. */
const MARGIN_MS = 60_000

/** `token`: prints an access token of the person who signed in, for scripts. */
export function token (program: Command): void {
  program.command('token')
    .description('Print an access token of the person who signed in with "login".')
    .addHelpText('after', `
printf 'Authorization: Bearer %s' "$(npx frontdesk-customer token)" | curl -H @- …`)
    .action(async () => {
      const { KeptSignIn } = await import('./kept-sign-in.js')
      const kept = new KeptSignIn()
      const signIn = await find(kept)
      const { accessToken } = isLive(signIn) ? signIn : await kept.locked(async () => await renew(kept))
      console.log(accessToken)
    })
}

/** @throws CommandError if no one is signed in */
async function find (kept: KeptSignIn): Promise<SignIn> {
  const signIn = await kept.read()
  if (signIn === null) throw new CommandError('You are not signed in. Run frontdesk-customer login.')
  return signIn
}

function isLive ({ endsAt = Infinity }: SignIn): boolean {
  return endsAt > Date.now() + MARGIN_MS
}

/** Refreshes the token, unless another command did meanwhile: the second use of a refresh token ends the access (RFC 9700 §4.14.2). */
async function renew (kept: KeptSignIn): Promise<SignIn> {
  const signIn = await find(kept)
  if (isLive(signIn)) return signIn
  const { refresh } = await import('./refresh.js')
  const next = await refresh(signIn)
  await kept.write(next)
  return next
}
