import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { command } from '@frontdesk/service-kit/cli/command'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { logoutCommand, signedInText } from '@frontdesk/service-kit/cli/sign-in'
import { program } from './program.js'

/** Default scopes of `login`: the user's name, and all scopes of this service. */
const SCOPE = ['openid', 'profile', ...Object.keys(customerScopes)].join(' ')

/** The auth-server of `npm start`. */
const ISSUER = 'http://localhost:3000'

/** `login`: signs a user in on a page of the authorization server (RFC 8628). */
export const login = command('login', {
  says: 'Sign in with a browser, on this or another device; see "token".',
  options: {
    '--issuer <url>': { says: 'authorization server', env: 'ISSUER', default: ISSUER },
    '--client-id <id>': { says: 'client_id of this command at that server', default: program.name },
    '--scope <scopes>': { says: 'scopes to request, separated by spaces', default: SCOPE }
  },
  json: 'who signed in, and where',
  async run ({ issuer, ...options }, { say }) {
    const { signIn } = await import('@frontdesk/service-kit/sign-in/sign-in')
    // An empty variable counts as not set.
    return await signIn({ ...options, program, issuer: issuer || ISSUER }, say)
  },
  text: signedInText
})

/** `logout`: removes the sign-in and revokes its tokens. */
export const logout = logoutCommand(program)

/** `token`: prints an access token of the user who signed in, for scripts. */
export const token = command('token', {
  says: 'Print an access token of the user who signed in with "login".',
  more: `Example:
  printf 'Authorization: Bearer %s' "$(npx --no frontdesk-customer token)" |
    curl -H @- …`,
  async run () {
    const { currentToken, notSignedIn } = await import('@frontdesk/service-kit/sign-in/current-token')
    const accessToken = await currentToken(program)
    if (accessToken === null) throw new CommandError(notSignedIn(program))
    return { accessToken }
  },
  text: ({ accessToken }) => accessToken
})
