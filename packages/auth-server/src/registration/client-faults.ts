import { faultOf, type Fault } from '../input/fault.js'
import { whyNotName } from '../input/text.js'
import { TOKEN_TTL } from '../lifetimes.js'
import type { ClientField, ClientSettings } from '../oauth/client.js'
import { whyNotCallback } from '../oauth/redirect-uri.js'
import { whyNotRoleName } from '../oauth/role-name.js'
import {
  whyNotAllowedScope, whyNotDefaultScope, whyNotKeyAddress, whyNotKeys, whyNotLogoutUri, whyNotResource, whyNotTtl
} from './client-rules.js'
import { findGrantTypeFaults } from './grant-type-rules.js'
import { findProfileFaults, PROFILE_FIELDS } from './profile-rules.js'
import type { Reason } from '../languages/reason.js'

/** Fields that can be missing or undefined. */
export type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined }

/** An invalid field of a client. */
export interface ClientFault extends Fault<ClientField> {
  /** Index of the value in its list. */
  readonly index?: number
}

/**
 * Finds invalid fields, however a client is registered. Skips missing fields, and rules for several fields if one of them is missing.
 * @param schemes as for {@link whyNotCallback}
 * @param suggest as for {@link findGrantTypeFaults}
 */
export function findClientFaults (
  client: Given<ClientSettings>, schemes: readonly string[], suggest?: Parameters<typeof findGrantTypeFaults>[1]
): ClientFault[] {
  const { name, callbacks = [], postLogoutRedirectUris = [], backchannelLogoutUri, resources = [], signInRoles = [] } = client
  const { defaultScope, allowedScope, accessTokenTtl, jwks, jwksUri } = client
  return [
    ...one('name', name, name => whyNotName('name', name)),
    ...each('callbacks', callbacks, uri => whyNotCallback(uri, schemes)),
    ...each('postLogoutRedirectUris', postLogoutRedirectUris, uri => whyNotCallback(uri, schemes, 'post-logout-address')),
    ...one('backchannelLogoutUri', backchannelLogoutUri, whyNotLogoutUri),
    ...one('defaultScope', defaultScope, whyNotDefaultScope),
    ...each('resources', resources, whyNotResource),
    ...each('signInRoles', signInRoles, whyNotRoleName),
    ...hasAll(client, ['grantTypes', 'tokenEndpointAuthMethod', 'pkce', 'jwks', 'jwksUri']) ? findGrantTypeFaults(client, suggest) : [],
    ...one('jwksUri', jwksUri, whyNotKeyAddress),
    ...one('allowedScope', allowedScope, allowed => whyNotAllowedScope(allowed, defaultScope ?? '')),
    ...one('accessTokenTtl', accessTokenTtl, ttl => whyNotTtl(String(ttl), TOKEN_TTL)),
    ...one('jwks', jwks, whyNotKeys),
    ...hasAll(client, PROFILE_FIELDS) ? findProfileFaults(client).map(why => faultOf('profile', why)) : []
  ]
}

function hasAll<Name extends ClientField> (
  client: Given<ClientSettings>, names: readonly Name[]
): client is Given<ClientSettings> & Pick<ClientSettings, Name> {
  return names.every(name => client[name] !== undefined)
}

/** The fault of a field, if it has a value and breaks the rule. */
export function one<Name extends string, T> (
  field: Name, value: T, whyNot: (value: NonNullable<T>) => Reason | string | null
): Array<Fault<Name>> {
  const why = value === undefined || value === null ? null : whyNot(value)
  return why === null ? [] : [faultOf(field, why)]
}

function each (field: ClientField, values: readonly string[], whyNot: (value: string) => Reason | string | null): ClientFault[] {
  return values.flatMap((value, index) => one(field, value, whyNot).map(fault => ({ ...fault, index })))
}
