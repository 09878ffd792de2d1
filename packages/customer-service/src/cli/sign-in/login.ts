import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { Option, type Command } from 'commander'
import type { Place } from './authorization-server.js'

/** What `login` asks for: the person's name, and all that this service knows. */
const SCOPE = ['openid', 'profile', ...Object.keys(customerScopes)].join(' ')

/** auth-server, as `npm start` runs it. */
const ISSUER = 'http://localhost:3000'

/** `login`: a person signs in on a page of the authorization server (RFC 8628). */
export function login (program: Command): void {
  program.command('login')
    .description('Sign in with a browser, on this or another device; see "token".')
    .addOption(new Option('--issuer <url>', 'authorization server').env('ISSUER').default(ISSUER))
    .option('--client-id <id>', 'this command at that server', 'frontdesk-customer')
    .option('--scope <scopes>', 'scopes to request, separated by spaces', SCOPE)
    .action(async (options: Place & { readonly scope: string }) => {
      const { signIn } = await import('./sign-in.js')
      // A variable that is empty counts as not set.
      await signIn({ ...options, issuer: options.issuer || ISSUER }, line => { console.log(line) })
    })
}
