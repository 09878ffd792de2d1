import { customerScopes } from '@frontdesk/schemas/customer-scope'
import type { AccessToken } from '@frontdesk/schemas/access-token'
import { readFirstLine } from '@frontdesk/service-kit/cli/first-line'
import type { Auth } from '../../config.js'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { Keys } from '../../keys/keys.js'
import { ProblemError } from '../../problems/define.js'
import { createVerifier } from '../../tokens/verify.js'
import { parseAuthorization } from '../../tokens/authorization.js'
import { explainRejection } from './rejected-token.js'

/** Maximum length of a line in bytes, more than that of any valid token. */
const MAX_LINE_BYTES = 16_384

const { ok, warning, wrong, unchecked } = findings('token')

/** Checks a token with the service's own verifier. */
export async function * checkToken (auth: Auth, token: string | undefined): AsyncGenerator<Finding> {
  if (token === undefined) {
    yield findings('audience').unchecked(`Only a token shows whether the authorization server sets aud to AUDIENCE (${auth.audience}).`,
      'Compare it with DEFAULT_AUDIENCE of auth-server, or check a token: frontdesk-customer doctor --token')
    return
  }
  const keys = new Keys({ url: auth.jwksUrl, log: { info () {}, warn () {} } })
  try {
    await keys.start()
    const bare = parseAuthorization([`Bearer ${token}`]) ?? ''
    yield * accepted(await createVerifier(auth, keys, null)(bare))
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    if (error.kind.status === 503) yield unchecked('The token was not checked: the keys could not be fetched.')
    else yield wrong(...explainRejection(auth, token, error))
  } finally {
    keys.stop()
  }
}

function * accepted ({ sub, client_id: client, scope, exp }: AccessToken): Generator<Finding> {
  const known = scope.split(' ').filter(it => it in customerScopes)
  yield ok(`The token is accepted, until ${new Date(exp * 1_000).toISOString()}: ${client} may act for ${sub}.`)
  if (known.length > 0) yield ok(`It allows ${known.join(', ')}.`)
  else {
    yield warning(
      'It allows nothing here: it has no scope of this service.',
      `Let the client request ${Object.keys(customerScopes).join(' ')}, or set its default scope: frontdesk-auth client add --default-scope`
    )
  }
}

/** Reads the first line of standard input, without `Bearer`. Other users could read an argument. */
export async function readToken (): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Paste the token and press Enter:\n')
  return (await readFirstLine(MAX_LINE_BYTES)).trim().replace(/^bearer +/i, '')
}
