import type { Command } from 'commander'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** What to do for commands that need a sign-in. */
export const NOT_SIGNED_IN = 'You are not signed in. Run frontdesk-customer login.'

/** `token`: prints an access token of the person who signed in, for scripts. */
export function token (program: Command): void {
  program.command('token')
    .description('Print an access token of the person who signed in with "login".')
    .addHelpText('after', `
Example:
  printf 'Authorization: Bearer %s' "$(npx --no frontdesk-customer token)" |
    curl -H @- …`)
    .action(async () => {
      const { currentToken } = await import('./current-token.js')
      const accessToken = await currentToken()
      if (accessToken === null) throw new CommandError(NOT_SIGNED_IN)
      console.log(accessToken)
    })
}
