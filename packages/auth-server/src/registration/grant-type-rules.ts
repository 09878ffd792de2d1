import { joinOr } from '@frontdesk/service-kit/join-or'
import { clientAuth } from '../client-auth/index.js'
import { grantTypes as registry } from '../grants/index.js'
import type { Client } from '../oauth/client.js'
import { DEVICE_CODE } from '../oauth/grant-types.js'

/** The fields that are checked together. */
type GrantTypeFields = Pick<Client, 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'jwks' | 'jwksUri'>

/** An unsupported or contradictory value. */
interface GrantTypeFault { readonly field: keyof GrantTypeFields, readonly sentence: string }

/**
 * Finds unsupported and contradictory values.
 * @param suggest makes a sentence about a similar known name, with a leading space, for typed input; default: none
 */
export function findGrantTypeFaults (
  { grantTypes, tokenEndpointAuthMethod: method, pkce, jwks, jwksUri }: GrantTypeFields,
  suggest: (written: string, known: readonly string[]) => string = () => ''
): GrantTypeFault[] {
  const offered = registry.map(({ name }) => name)
  const methods = clientAuth.map(({ name }) => name)
  const has = (grant: string) => grantTypes.includes(grant)
  const unknown = grantTypes.find(it => !offered.includes(it))
  const rules: Array<[wrong: boolean, field: keyof GrantTypeFields, sentence: string]> = [
    [unknown !== undefined, 'grantTypes', unknown === 'implicit'
      ? 'The implicit grant has a field of its own: implicit: allowed.'
      : `A grant must be ${joinOr(['implicit', ...offered])}.${unknown === undefined ? '' : suggest(unknown, offered)}`],
    [!methods.includes(method), 'tokenEndpointAuthMethod',
      `The authentication method must be ${joinOr(methods)}.${suggest(method, methods)}`],
    [has('refresh_token') && !has('authorization_code') && !has(DEVICE_CODE), 'grantTypes',
      `The grant refresh_token needs authorization_code or ${DEVICE_CODE}: no other grant issues refresh tokens.`],
    [has('client_credentials') && method === 'none', 'grantTypes',
      'The grant client_credentials needs a client that can authenticate, with a secret or with keys.'],
    [pkce === 'optional' && method === 'none', 'pkce',
      'PKCE is optional only for a client that authenticates, with a secret or with keys.'],
    [method === 'private_key_jwt' && jwks === null && jwksUri === null, 'jwks',
      'private_key_jwt needs a JWK Set: its keys verify the assertions that the client signs.'],
    [jwks !== null && jwksUri !== null, 'jwksUri', 'The keys are in a JWK Set or at an address, not both.'],
    [method !== 'private_key_jwt' && (jwks ?? jwksUri) !== null, 'tokenEndpointAuthMethod',
      'A JWK Set needs private_key_jwt: no other method uses the keys.']
  ]
  return rules.filter(([wrong]) => wrong).map(([, field, sentence]) => ({ field, sentence }))
}
