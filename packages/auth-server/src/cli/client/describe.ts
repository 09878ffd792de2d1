import { table } from '@frontdesk/service-kit/cli/table'
import type { Client } from '../../oauth/client.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import type { Image } from '../../settings/image.js'
import { readLinks } from '../../registration/client-links.js'
import { describeLogo } from './logo.js'
import { describePkce } from './optional-pkce.js'
import { writePolicy } from './implicit-policy.js'
import { didYouMean } from '@frontdesk/service-kit/nearest'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { stateOf } from '../print.js'
import { quote } from '@frontdesk/service-kit/showable'

/** The fields of an app for `--json`. */
export function fieldsOf ({ id, jwks, jwksUri, ...fields }: Client) {
  const {
    name, callbacks, postLogoutRedirectUris, resources, defaultScope, allowedScope, accessTokenTtl, implicit, implicitUntil, grantTypes,
    tokenEndpointAuthMethod, pkce, withoutPkceAt, requirePushedAuthorizationRequests, dpopBoundAccessTokens, idTokenSignedResponseAlg,
    idTokenClaims, userinfoSignedResponseAlg, sectorIdentifier, backchannelLogoutUri, backchannelLogoutSessionRequired, native, demo,
    registeredBy, usedAt, profile, disabledAt, createdAt, logoName, links
  } = fields
  return {
    clientId: id,
    name,
    logo: logoName,
    callbacks,
    postLogoutRedirectUris,
    resources,
    defaultScope,
    allowedScope: allowedScope ?? '*',
    accessTokenTtl,
    implicit,
    ...(implicitUntil === null ? {} : { implicitUntil }),
    grantTypes,
    tokenEndpointAuthMethod,
    pkce,
    ...(withoutPkceAt === null ? {} : { withoutPkceAt }),
    requirePushedAuthorizationRequests,
    dpopBoundAccessTokens,
    profile,
    // as: validated at registration.
    jwks: jwks === null ? null : JSON.parse(jwks) as object,
    jwksUri,
    idTokenSignedResponseAlg,
    idTokenClaims,
    userinfoSignedResponseAlg,
    subjectType: sectorIdentifier === null ? 'public' : 'pairwise',
    sectorIdentifier,
    backchannelLogoutUri,
    backchannelLogoutSessionRequired,
    native,
    demo,
    registeredBy,
    ...(isSelfRegistered({ registeredBy }) ? { usedAt } : {}),
    ...(links === null ? {} : { links: readLinks(links) }),
    disabledAt,
    createdAt
  }
}

/** Who registered an app, after the time. */
const REGISTRARS: Record<Client['registeredBy'], string> = {
  operator: '',
  token: ' by itself, with a token',
  open: ' by itself, without a token',
  document: ' by itself, by its client ID metadata document'
}

/** Describes an app as text. @param logo `null`: it has none */
export function describe (client: Client, logo: Image | null): string {
  const {
    id, name, profile, callbacks, postLogoutRedirectUris, resources, defaultScope, allowedScope, accessTokenTtl, grantTypes,
    tokenEndpointAuthMethod, jwksUri, requirePushedAuthorizationRequests, dpopBoundAccessTokens, idTokenSignedResponseAlg, idTokenClaims,
    userinfoSignedResponseAlg: userinfoAlg, sectorIdentifier, backchannelLogoutUri, native, disabledAt, createdAt
  } = client
  return table([
    ['Client ID', id],
    ['Name', name],
    ['Logo', logo === null ? 'none' : describeLogo(logo)],
    ['State', disabledAt === null ? stateOf(client) : `${stateOf(client)} since ${disabledAt.toISOString()}`],
    ...list('Callbacks', callbacks),
    ...list('After sign-out', postLogoutRedirectUris),
    ...list('Resources', resources),
    ['Default scope', defaultScope || 'none'],
    ['Allowed scope', allowedScope ?? 'any'],
    ['Token lifetime', accessTokenTtl === null ? 'server default' : `${accessTokenTtl} s`],
    ['Implicit grant', writePolicy(client)],
    ['Grant types', [...grantTypes, ...client.implicit === 'off' ? [] : ['implicit']].join(' ') || 'none'],
    ['Authentication', tokenEndpointAuthMethod === 'none' ? 'none (public client)' : tokenEndpointAuthMethod],
    ...jwksUri === null ? [] : [['Keys', `published at ${jwksUri}`]],
    ['PKCE', describePkce(client)],
    ['Requests', requirePushedAuthorizationRequests ? 'must be pushed (RFC 9126)' : 'by the browser or pushed'],
    ['Access tokens', dpopBoundAccessTokens ? 'must be bound to a key (DPoP, RFC 9449)' : 'bearer, or bound to a key if it sends a DPoP proof'],
    ['ID tokens', `signed with ${idTokenSignedResponseAlg}${idTokenClaims ? ', with the claims of granted scopes' : ''}`],
    ['Userinfo', userinfoAlg === null ? 'JSON' : `JWT, signed with ${userinfoAlg}`],
    ['Subjects', sectorIdentifier === null ? 'public' : `pairwise, the same for all apps of the sector ${sectorIdentifier}`],
    ['Logout tokens', backchannelLogoutUri === null ? 'none' : `sent to ${backchannelLogoutUri}`],
    ...profile === null ? [] : [['Profile', 'FAPI 2.0 Security Profile']],
    ['Native', native ? 'yes: loopback callbacks match with any port' : 'no'],
    ['Registered', `${createdAt.toISOString()}${REGISTRARS[client.registeredBy]}`],
    ...Object.entries(readLinks(client.links)),
    ...isSelfRegistered(client) ? [['Last allowed', client.usedAt?.toISOString().slice(0, 10) ?? 'never']] : []
  ])
}

function list (label: string, values: readonly string[]): string[][] {
  return values.length === 0 ? [[label, 'none']] : values.map((value, index) => [index === 0 ? label : '', value])
}

/** Makes the error for an unknown client_id. @param known the registered apps, for a suggestion */
export function unknownClientError (id: string, known: readonly Client[] = []): CommandError {
  const suggestion = didYouMean(id, known.map(app => app.id))
  return new CommandError(`No app has the client_id ${quote(id)}.${suggestion} To see all: frontdesk-auth client list`)
}
