import { command } from '@frontdesk/service-kit/cli/command'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { logoutCommand, signedInText } from '@frontdesk/service-kit/cli/sign-in'
import { program } from './remote/program.js'

/** `login`: signs an administrator in on a page of the server (RFC 8628). */
export const login = command('login', {
  says: 'Sign in at a server as an administrator, for commands with --server.',
  json: 'where you signed in',
  more: `Example:
  frontdesk-auth login --server https://login.example
  frontdesk-auth user list --server https://login.example`,
  async run () {
    throw new UsageError('name the server: frontdesk-auth login --server <issuer>')
  },
  remote: async (api, _, { say }) => await api.signIn(say),
  text: signedInText
})

/** `logout`: removes the sign-in and revokes its token. */
export const logout = logoutCommand(program)
