import { joinOr } from '@frontdesk/service-kit/join-or'
import { clientAuth } from '../client-auth/index.js'
import { grantTypes as registry } from '../grants/index.js'
import type { Client } from '../oauth/client.js'
import { faultOf, type Fault } from '../input/fault.js'
import { DEVICE_CODE } from '../oauth/grant-types.js'
import { reason, type Reason } from '../languages/reason.js'

/** The fields that are checked together. */
type GrantTypeFields = Pick<Client, 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'jwks' | 'jwksUri'>

/**
 * Finds unsupported and contradictory values.
 * @param suggest makes a sentence about a similar known name, with a leading space, for typed input; default: none
 */
export function findGrantTypeFaults (
  { grantTypes, tokenEndpointAuthMethod: method, pkce, jwks, jwksUri }: GrantTypeFields,
  suggest: (written: string, known: readonly string[]) => string = () => ''
): Array<Fault<keyof GrantTypeFields>> {
  const offered = registry.map(({ name }) => name)
  const methods = clientAuth.map(({ name }) => name)
  const has = (grant: string) => grantTypes.includes(grant)
  const unknown = grantTypes.find(it => !offered.includes(it))
  const rules: Array<[wrong: boolean, field: keyof GrantTypeFields, why: Reason | string]> = [
    [unknown !== undefined, 'grantTypes', unknown === 'implicit'
      ? 'The implicit grant has a field of its own: implicit: allowed.'
      : `A grant must be ${joinOr(['implicit', ...offered])}.${unknown === undefined ? '' : suggest(unknown, offered)}`],
    [!methods.includes(method), 'tokenEndpointAuthMethod',
      `The authentication method must be ${joinOr(methods)}.${suggest(method, methods)}`],
    [has('refresh_token') && !has('authorization_code') && !has(DEVICE_CODE), 'grantTypes',
      reason('reason.grant-refresh', { device: DEVICE_CODE })],
    [has('client_credentials') && method === 'none', 'grantTypes', reason('reason.grant-client-credentials')],
    [pkce === 'optional' && method === 'none', 'pkce', reason('reason.grant-pkce')],
    [method === 'private_key_jwt' && jwks === null && jwksUri === null, 'jwks', reason('reason.grant-assertions')],
    [jwks !== null && jwksUri !== null, 'jwksUri', reason('reason.grant-jwks-both')],
    [method !== 'private_key_jwt' && (jwks ?? jwksUri) !== null, 'tokenEndpointAuthMethod', reason('reason.grant-jwks')]
  ]
  return rules.filter(([wrong]) => wrong).map(([, field, why]) => faultOf(field, why))
}
