import type { Command } from 'commander'

/** `doctor`: checks an installation and suggests remedies. */
export function doctor (program: Command): void {
  program.command('doctor')
    .description('Check the settings, the authorization server, the database and the public address.')
    .option('--token', 'read an access token from standard input and explain why it is accepted or not')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', `
Reads the settings from its environment, as customer-service does, compares
them with those of the running service if it finds one, and changes nothing.
Exit codes: 0 all is well, 1 something is wrong, 2 wrong usage, 3 warnings only.`)
    .action(async ({ token: hasToken, ...options }: { readonly token?: true, readonly json?: true }) => {
      const { report } = await import('@frontdesk/service-kit/doctor/print')
      const { examine } = await import('./examine.js')
      const { readToken } = await import('./token.js')
      await report(examine(hasToken === true ? await readToken() : undefined), options)
    })
}
