import type { Client } from '../oauth/client.js'
import { readLinks } from './client-links.js'
import type { ClientMetadata } from './client-metadata.js'

/**
 * A registered app, as RFC 7591 §3.2.1 and RFC 7592 §3 return it, without secrets.
 * @param responseTypes those of the server
 */
export function describeRegistration (client: Client, issuer: string, responseTypes: ReadonlyArray<{ name: string, grantType: string }>) {
  const grants = [...client.grantTypes, ...client.implicit === 'off' ? [] : ['implicit']]
  const metadata: ClientMetadata = {
    client_name: client.name,
    redirect_uris: [...client.callbacks],
    grant_types: grants,
    response_types: responseTypes.filter(({ grantType }) => grants.includes(grantType)).map(({ name }) => name),
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    // as: validated at registration.
    ...(client.jwks !== null && { jwks: JSON.parse(client.jwks) as { keys: object[] } }),
    ...(client.jwksUri !== null && { jwks_uri: client.jwksUri }),
    ...(client.defaultScope !== '' && { scope: client.defaultScope }),
    application_type: client.native ? 'native' : 'web',
    ...(client.postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: [...client.postLogoutRedirectUris] }),
    ...(client.backchannelLogoutUri !== null && {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: client.backchannelLogoutSessionRequired
    }),
    ...readLinks(client.links),
    subject_type: client.sectorIdentifier === null ? 'public' : 'pairwise',
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    ...(client.userinfoSignedResponseAlg !== null && { userinfo_signed_response_alg: client.userinfoSignedResponseAlg }),
    require_pushed_authorization_requests: client.requirePushedAuthorizationRequests,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens
  }
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1_000),
    registration_client_uri: `${issuer}/register/${client.id}`,
    ...metadata
  }
}
