import { ownFields, wireName, type Client } from '../oauth/client.js'
import { readLinks } from './client-links.js'
import type { ClientMetadata, RegisteredFields } from './client-metadata.js'
import { grantsOf } from './client-rules.js'

type ResponseTypes = ReadonlyArray<{ name: string, grantType: string }>

/**
 * A registered client, as RFC 7591 §3.2.1 and RFC 7592 §3 return it, without secrets.
 * @param responseTypes the server's
 */
export function describeRegistration (client: Client, issuer: string, responseTypes: ResponseTypes) {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
    registration_client_uri: `${issuer}/register/${client.id}`,
    ...describeMetadata(client, responseTypes)
  }
}

/** The metadata of a client, as it is used. @param responseTypes the server's */
export function describeMetadata (client: Pick<Client, keyof RegisteredFields>, responseTypes: ResponseTypes): ClientMetadata {
  const grants = grantsOf(client)
  const members = ownFields.flatMap(([name, field]) => {
    const member = wireName(field)
    // as: the fields with a name in the metadata are registered.
    const value = client[name as keyof typeof client]
    return member === undefined || value === null || value === '' ? [] : [[member, value]]
  })
  const metadata: ClientMetadata = {
    ...Object.fromEntries(members),
    grant_types: grants,
    response_types: responseTypes.filter(({ grantType }) => grants.includes(grantType)).map(({ name }) => name),
    // as: validated at registration.
    ...(client.jwks !== null && { jwks: JSON.parse(client.jwks) as { keys: object[] } }),
    application_type: client.native ? 'native' : 'web',
    ...readLinks(client.links),
    subject_type: client.sectorIdentifier === null ? 'public' : 'pairwise'
  }
  if (client.postLogoutRedirectUris.length === 0) delete metadata.post_logout_redirect_uris
  if (client.backchannelLogoutUri === null) delete metadata.backchannel_logout_session_required
  return metadata
}
