import { clientAuth } from '../../client-auth/index.js'
import { DEVICE_CODE } from '../../oauth/device-grant.js'
import { grantTypes as registry } from '../../grants/index.js'
import type { GrantTypeColumns } from './grant-types.js'
import { didYouMean } from '../nearest.js'

/** Finds unsupported and contradictory values; returns a sentence for each. */
export function findGrantTypeFaults ({ grantTypes, tokenEndpointAuthMethod: method, pkce, jwks }: GrantTypeColumns): string[] {
  const offered = registry.map(({ name }) => name)
  const methods = clientAuth.map(({ name }) => name)
  const has = (grant: string) => grantTypes.includes(grant)
  const rules: Array<[wrong: boolean, sentence: string]> = [
    [!grantTypes.every(it => offered.includes(it)), `A grant must be ${or(['implicit', ...offered])}.${suggest(grantTypes, offered)}`],
    [!methods.includes(method), `The authentication method must be ${or(methods)}.${suggest([method], methods)}`],
    [
      has('refresh_token') && !has('authorization_code') && !has(DEVICE_CODE),
      `The grant refresh_token needs authorization_code or ${DEVICE_CODE}: no other grant issues refresh tokens.`
    ],
    [
      has('client_credentials') && method === 'none',
      'The grant client_credentials needs an app that can authenticate: add --confidential or --jwks.'
    ],
    [pkce === 'optional' && method === 'none', 'PKCE is optional only for an app that authenticates: add --confidential or --jwks.'],
    [
      (method === 'private_key_jwt') !== (jwks !== null),
      'private_key_jwt and --jwks go together: the keys verify the assertions that the app signs.'
    ]
  ]
  return rules.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
}

/** Suggests a known name for the first unknown one. */
function suggest (written: readonly string[], known: readonly string[]): string {
  const wrong = written.find(it => !known.includes(it))
  return wrong === undefined ? '' : didYouMean(wrong, known)
}

/** Joins names with commas and "or". */
function or (names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
