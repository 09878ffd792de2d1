import type { Client } from '../../oauth/client.js'
import type { DesiredClient } from '../../stores/clients.js'
import { parsePolicy, writePolicy } from '../client/implicit-policy.js'
import { defaults, type ClientEntry, type ClientsFile } from './clients-file.js'

/** What a registered app is in a file. */
export function entryOf (client: Client): ClientEntry {
  const { id: clientId, name, callbacks, resources, defaultScope, accessTokenTtl, grantTypes, tokenEndpointAuthMethod, pkce, jwks, native, disabledAt } = client
  return {
    clientId,
    name,
    callbacks: [...callbacks].sort(),
    resources: [...resources].sort(),
    defaultScope,
    accessTokenTtl,
    implicit: writePolicy(client),
    grantTypes: [...grantTypes].sort(),
    tokenEndpointAuthMethod,
    pkce,
    // as: what was registered was one.
    jwks: jwks === null ? null : JSON.parse(jwks) as ClientEntry['jwks'],
    native,
    disabled: disabledAt !== null
  }
}

/** An entry with everything that it leaves out, written as {@link entryOf} writes it. */
export function complete (entry: ClientsFile['clients'][number]): ClientEntry {
  const { callbacks = [], resources = [], grantTypes = [], implicit = defaults.implicit } = entry
  return { ...defaults, ...entry, callbacks: [...callbacks].sort(), resources: [...resources].sort(), grantTypes: [...grantTypes].sort(), implicit: writePolicy(parsePolicy(implicit)) }
}

/** An entry without what it need not say. */
export function shorten (entry: ClientEntry): ClientsFile['clients'][number] {
  // as: those without a default are never left out.
  return Object.fromEntries(Object.entries(entry).filter(([name, value]) =>
    !(name in defaults) || JSON.stringify(value) !== JSON.stringify(defaults[name as keyof typeof defaults]))) as ClientsFile['clients'][number]
}

/** What is registered for an entry. @param before as it is registered now, from which times are kept */
export function clientOf ({ clientId: id, implicit, jwks, disabled, ...columns }: ClientEntry, before: Client | undefined, now: Date): DesiredClient {
  return {
    ...columns,
    id,
    jwks: jwks === null ? null : JSON.stringify(jwks),
    ...parsePolicy(implicit),
    implicitDeprecatedAt: before?.implicitDeprecatedAt ?? null,
    disabledAt: disabled ? before?.disabledAt ?? now : null,
    demo: before?.demo ?? false
  }
}
