import { whyNotName } from '../input/text.js'
import type { Client } from '../oauth/client.js'
import { whyNotCallback } from '../oauth/redirect-uri.js'
import { whyNotDefaultScope, whyNotLogoutUri, whyNotResource } from './client-rules.js'
import { findGrantTypeFaults, type GrantTypeColumns } from './grant-type-rules.js'

/** The fields with rules, for every way to register an app. */
export type Checked = Pick<Client, 'name' | 'callbacks' | 'postLogoutRedirectUris' | 'backchannelLogoutUri' | 'resources' | 'defaultScope'> &
  GrantTypeColumns

/** An invalid field of an app. */
export interface ClientFault {
  readonly field: keyof Checked
  /** Of the URI, in a list of URIs. */
  readonly index?: number
  readonly sentence: string
}

/**
 * Finds invalid fields. A missing field is not checked; grant types, authentication, PKCE and keys are checked if all four are there.
 * @param schemes as for {@link whyNotCallback}
 * @param suggest as for {@link findGrantTypeFaults}
 */
export function findClientFaults (
  client: Partial<Checked>, schemes: readonly string[], suggest?: Parameters<typeof findGrantTypeFaults>[1]
): ClientFault[] {
  const { name, callbacks = [], postLogoutRedirectUris = [], backchannelLogoutUri = null, resources = [], defaultScope } = client
  const { grantTypes, tokenEndpointAuthMethod, pkce, jwks, jwksUri = null } = client
  return [
    ...name === undefined ? [] : faultOf('name', whyNotName('name', name)),
    ...each('callbacks', callbacks, uri => whyNotCallback(uri, schemes)),
    ...each('postLogoutRedirectUris', postLogoutRedirectUris, uri =>
      whyNotCallback(uri, schemes)?.replaceAll('callback', 'address after sign-out') ?? null),
    ...backchannelLogoutUri === null ? [] : faultOf('backchannelLogoutUri', whyNotLogoutUri(backchannelLogoutUri)),
    ...defaultScope === undefined ? [] : faultOf('defaultScope', whyNotDefaultScope(defaultScope)),
    ...each('resources', resources, whyNotResource),
    ...grantTypes === undefined || tokenEndpointAuthMethod === undefined || pkce === undefined || jwks === undefined
      ? []
      : findGrantTypeFaults({ grantTypes, tokenEndpointAuthMethod, pkce, jwks, jwksUri }, suggest)
  ]
}

function faultOf (field: ClientFault['field'], sentence: string | null, index?: number): ClientFault[] {
  return sentence === null ? [] : [{ field, sentence, ...(index !== undefined && { index }) }]
}

function each (field: ClientFault['field'], uris: readonly string[], whyNot: (uri: string) => string | null): ClientFault[] {
  return uris.flatMap((uri, index) => faultOf(field, whyNot(uri), index))
}
