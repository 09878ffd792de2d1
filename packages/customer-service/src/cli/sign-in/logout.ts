import type { Command } from 'commander'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** `logout`: ends what `login` began. */
export function logout (program: Command): void {
  program.command('logout').description('Sign out, and revoke the tokens of "login".').action(async () => {
    const { KeptSignIn } = await import('./kept-sign-in.js')
    const kept = new KeptSignIn()
    const signIn = await kept.locked(async () => {
      const found = await kept.read().catch(() => undefined)
      await kept.remove()
      return found
    })
    if (signIn === undefined) {
      throw new CommandError('The file with your sign-in was damaged. It was removed. To end your access, remove the app at /account of the server.')
    }
    if (signIn === null) return console.log('You are not signed in.')
    const { revoke } = await import('./revoke.js')
    await revoke(signIn).catch((error: Error) => {
      throw new CommandError(`You are signed out on this computer, but your access was not revoked. ${error.message}
To end it, remove the app at ${signIn.issuer}/account.`, { cause: error })
    })
    console.log(`Signed out of ${signIn.issuer}.`)
  })
}
