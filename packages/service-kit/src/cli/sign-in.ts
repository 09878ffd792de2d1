import type { Program } from '../sign-in/authorization-server.js'
import type { SignedIn } from '../sign-in/sign-in.js'
import { command, type Define } from './command.js'
import { CommandError } from './errors.js'

/** `logout`: removes the sign-in of a program, and revokes its tokens. */
export function logoutCommand (program: Program): Define {
  return command('logout', {
    says: 'Sign out, and revoke the tokens of "login".',
    run: async () => await signOut(program),
    remote: async () => await signOut(program),
    text: ({ issuer }) => issuer === null ? 'You are not signed in.' : `Signed out of ${issuer}.`
  })
}

/** The text of `login`. */
export function signedInText ({ issuer, username, warning }: SignedIn): string {
  return [`Signed in${username === undefined ? '' : ` as ${username}`} at ${issuer}.`, ...warning === undefined ? [] : [warning]].join('\n')
}

async function signOut (program: Program): Promise<{ readonly issuer: string | null }> {
  const { StoredSignIn } = await import('../sign-in/stored-sign-in.js')
  const stored = new StoredSignIn(program)
  const signIn = await stored.locked(async () => {
    const found = await stored.read().catch(() => undefined)
    await stored.remove()
    return found
  })
  if (signIn === undefined) {
    throw new CommandError('The file with your sign-in was damaged. It was removed. To revoke its access, remove the app at ' +
      '/account of the server.')
  }
  if (signIn === null) return { issuer: null }
  const { revoke } = await import('../sign-in/tokens.js')
  await revoke({ ...signIn, program }).catch((error: Error) => {
    throw new CommandError(`You are signed out on this computer, but your access was not revoked. ${error.message}
To end it, remove the app at ${signIn.issuer}/account.`, { cause: error })
  })
  return { issuer: signIn.issuer }
}
