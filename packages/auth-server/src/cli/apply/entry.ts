import type { Client } from '../../oauth/client.js'
import { dataUrlOf, logoOf } from '../../oauth/client-logo.js'
import type { Image } from '../../settings/image.js'
import type { DesiredClient } from '../../stores/clients.js'
import { parsePolicy, writePolicy } from '../client/implicit-policy.js'
import { allowedScopeOf } from '../../registration/client-rules.js'
import { sectorOf } from '../client/subject-type.js'
import { defaults, type ClientEntry, type ClientsFile } from './clients-file.js'

/** Converts a registered app to its entry in a clients file. @param logos of all apps */
export function entryOf (client: Client, logos: ReadonlyMap<string, Image>): ClientEntry {
  const logo = logos.get(client.id)
  const {
    id: clientId, name, callbacks, postLogoutRedirectUris, resources, defaultScope, allowedScope, accessTokenTtl, grantTypes,
    tokenEndpointAuthMethod, pkce, requirePushedAuthorizationRequests, dpopBoundAccessTokens, profile, jwks, jwksUri,
    idTokenSignedResponseAlg, idTokenClaims, userinfoSignedResponseAlg, sectorIdentifier, backchannelLogoutUri,
    backchannelLogoutSessionRequired, native, disabledAt
  } = client
  return {
    clientId,
    name,
    logo: logo === undefined ? null : dataUrlOf(logo),
    callbacks: [...callbacks].sort(),
    postLogoutRedirectUris: [...postLogoutRedirectUris].sort(),
    resources: [...resources].sort(),
    defaultScope,
    allowedScope: allowedScope ?? '*',
    accessTokenTtl,
    implicit: writePolicy(client),
    grantTypes: [...grantTypes].sort(),
    tokenEndpointAuthMethod,
    pkce,
    requirePushedAuthorizationRequests,
    dpopBoundAccessTokens,
    profile,
    // as: validated at registration.
    jwks: jwks === null ? null : JSON.parse(jwks) as ClientEntry['jwks'],
    jwksUri,
    idTokenSignedResponseAlg,
    idTokenClaims,
    userinfoSignedResponseAlg,
    subjectType: sectorIdentifier === null ? 'public' : 'pairwise',
    sectorIdentifier,
    backchannelLogoutUri,
    backchannelLogoutSessionRequired,
    native,
    disabled: disabledAt !== null
  }
}

/** Adds the defaults of omitted fields, in the form of {@link entryOf}. */
export function complete (entry: ClientsFile['clients'][number]): ClientEntry {
  const whole = { ...defaults, ...entry }
  const { callbacks, postLogoutRedirectUris, resources, grantTypes, implicit, subjectType, sectorIdentifier } = whole
  const logo = logoOf(whole.logo ?? '')
  return {
    ...whole,
    logo: logo === undefined ? null : dataUrlOf(logo),
    sectorIdentifier: sectorOf({ subjectType, sectorIdentifier }, callbacks),
    callbacks: [...callbacks].sort(),
    postLogoutRedirectUris: [...postLogoutRedirectUris].sort(),
    resources: [...resources].sort(),
    grantTypes: [...grantTypes].sort(),
    implicit: writePolicy(parsePolicy(implicit))
  }
}

/** Omits fields that have their default value. */
export function shorten (entry: ClientEntry): ClientsFile['clients'][number] {
  // as: fields without a default are never omitted.
  return Object.fromEntries(Object.entries(entry).filter(([name, value]) =>
    !(name in defaults) ||
      JSON.stringify(value) !== JSON.stringify(defaults[name as keyof typeof defaults]))) as ClientsFile['clients'][number]
}

/** Converts an entry to the client to store. @param before the registered client, whose times it keeps @param now the database's time */
export function clientOf (
  { clientId: id, logo, implicit, jwks, subjectType: _, allowedScope, disabled, ...columns }: ClientEntry,
  before: Client | undefined,
  now: Date
): DesiredClient {
  return {
    ...columns,
    id,
    logo: logo === null ? null : logoOf(logo) ?? null,
    allowedScope: allowedScopeOf(allowedScope),
    jwks: jwks === null ? null : JSON.stringify(jwks),
    ...parsePolicy(implicit),
    implicitDeprecatedAt: before?.implicitDeprecatedAt ?? now,
    disabledAt: disabled ? before?.disabledAt ?? now : null,
    demo: before?.demo ?? false
  }
}
