import { ACRS, acrsFrom } from '@frontdesk/schemas/acr'
import { customerScopes, reservedCustomerScopes } from '@frontdesk/schemas/customer-scope'
import { command } from '@frontdesk/service-kit/cli/command'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import { logoutCommand, signedInText } from '@frontdesk/service-kit/cli/sign-in'
import { program } from './program.js'

/** Default scopes of `login`: the user's name, and all scopes of this service. The server leaves out those that no operator allowed. */
const SCOPE = ['openid', 'profile', ...Object.keys({ ...customerScopes, ...reservedCustomerScopes })].join(' ')

/** Highest `--max-age`: a day. */
const MAX_MAX_AGE = 86_400

/** The auth-server of `npm start`. */
const ISSUER = 'http://localhost:3000'

/** `login`: signs a user in on a page of the authorization server (RFC 8628). */
export const login = command('login', {
  says: 'Sign in with a browser, on this or another device; see "token".',
  options: {
    '--issuer <url>': { says: 'authorization server', env: 'ISSUER', default: ISSUER },
    '--client-id <id>': { says: 'client_id of this command at that server', default: program.name },
    '--scope <scopes>': { says: 'scopes to request, separated by spaces', default: SCOPE },
    '--acr <acr>': { says: 'minimum level of the sign-in: a second factor (mfa) or a passkey (phr)', choices: ACRS },
    '--max-age <seconds>': { says: 'maximum age of the sign-in; 0: enter the password again', parse: wholeNumber(MAX_MAX_AGE, 0) }
  },
  json: 'who signed in, and where',
  async run ({ issuer, acr, maxAge, ...options }, { say }) {
    const { signIn } = await import('@frontdesk/service-kit/sign-in/sign-in')
    const required = {
      ...acr !== undefined && { acr_values: acrsFrom(acr).join(' ') }, ...maxAge !== undefined && { max_age: String(maxAge) }
    }
    // An empty variable counts as not set.
    return await signIn({ ...options, required, program, issuer: issuer || ISSUER }, say)
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
