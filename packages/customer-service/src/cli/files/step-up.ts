import { ACRS } from '@frontdesk/schemas/acr'
import { StoredSignIn } from '@frontdesk/service-kit/sign-in/stored-sign-in'
import { program } from '../program.js'

/** How to sign in as a challenge requires (RFC 9470 §3), in sentences; `undefined`: it is another challenge. */
export async function howToStepUp (challenge = ''): Promise<string | undefined> {
  if (!challenge.includes('error="insufficient_user_authentication"')) return undefined
  const signIn = await new StoredSignIn(program).read()
  if (signIn === null) return undefined
  const { issuer, clientId } = signIn
  const acr = ACRS.find(it => it === /acr_values="([^ "]+)/.exec(challenge)?.[1])
  const maxAge = /max_age="(\d+)"/.exec(challenge)?.[1]
  const options = [
    `--issuer ${issuer}`,
    ...clientId === program.name ? [] : [`--client-id ${clientId}`],
    ...acr === undefined ? [] : [`--acr ${acr}`],
    ...maxAge === undefined ? [] : [`--max-age ${maxAge}`]
  ]
  const setUp = acr === undefined ? '' : `\nIf you have no second factor yet, add one first: ${issuer}/account`
  return `Run this, then repeat your command:\n  ${program.name} login ${options.join(' ')}${setUp}`
}
