import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { firstToken, type FirstToken } from '../../admin/first-token.js'
import { findIssuer } from '../../config.js'
import { CODE_TTL } from '../../lifetimes.js'
import type { Client } from '../../oauth/client.js'
import { DEVICE_CODE } from '../../oauth/grant-types.js'
import { allowsAny } from '../../oauth/reserved-scopes.js'

/** Shows ready-to-run requests for a first access token. Empty if the client has no usable grant. */
export function nextStep (client: Client): string {
  const requests = firstToken(client, { issuer: issuer() })
  return requests === null ? '' : `\n${TEXTS[requests.grant](requests, client)}`.trimEnd()
}

const TEXTS: Readonly<Record<FirstToken['grant'], (requests: FirstToken, client: Client) => string>> = {
  authorization_code: ({ first, callback, address, tokens }) => {
    const next = first === undefined
      ? 'open this address'
      : 'push a request, put the request_uri of the response into this address,\nopen it'
    return `Next: ${next}, sign in and allow access. The code arrives at
${callback}

  ${first === undefined ? address : `${first}\n  echo "${address}"`}

Exchange the code within ${CODE_TTL} seconds. This code_verifier belongs to the address
above; a client makes a new pair for each sign-in.

  ${tokens}`
  },
  [DEVICE_CODE]: ({ first, tokens }) => `Next: request codes, open the verification_uri_complete of the response,
sign in and allow access:

  ${first}

Get the tokens with the device_code of the response:

  ${tokens}`,
  client_credentials: ({ tokens }, { id, defaultScope, allowedScope }) => defaultScope === '' && allowsAny(allowedScope)
    ? `Next: give it a scope, and get an access token:

  frontdesk-auth client update ${id} --default-scope ${Object.keys(customerScopes)[0]}
  ${tokens}`
    : `Next: get an access token:

  ${tokens}`,
  implicit: ({ callback, address }) => `Next: open this address, sign in and allow access. The access token arrives in
the fragment of ${callback}

  ${address}

New clients use the code grant instead (RFC 9700 §2.1.2):
--grant authorization_code`
}

/** The address of the server, from the environment. */
export function issuer (): string {
  return findIssuer() ?? 'https://ISSUER'
}
