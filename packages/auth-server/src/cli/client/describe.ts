import { table } from '@frontdesk/service-kit/cli/table'
import { entryOf } from '../../admin/client-entry.js'
import { writePolicy } from '../../admin/implicit-policy.js'
import { everyField, type Client } from '../../oauth/client.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { readLinks } from '../../registration/client-links.js'
import { grantsOf } from '../../registration/client-rules.js'
import type { Image } from '../../settings/image.js'
import { stateOf } from '../print.js'
import { describeLogo } from './files.js'
import { describePkce } from './warnings.js'

/** The fields of a client for `--json`. */
export function fieldsOf (client: Client) {
  const { logoName, implicit, implicitUntil, withoutPkceAt, demo, registeredBy, usedAt, links, disabledAt, createdAt } = client
  const { disabled: _, ...entry } = entryOf(client, new Map())
  return {
    ...entry,
    logo: logoName,
    implicit,
    ...implicitUntil === null ? {} : { implicitUntil },
    ...withoutPkceAt === null ? {} : { withoutPkceAt },
    demo,
    registeredBy,
    ...isSelfRegistered({ registeredBy }) ? { usedAt } : {},
    ...links === null ? {} : { links: readLinks(links) },
    disabledAt,
    createdAt
  }
}

/** Describes who registered a client, after the time. */
const REGISTRARS: Record<Client['registeredBy'], string> = {
  operator: '',
  token: ' by itself, with a token',
  open: ' by itself, without a token',
  document: ' by itself, by its client ID metadata document'
}

/** Describes a client as text. @param logo `null`: it has none */
export function describe (client: Client, logo: Image | null): string {
  const { id, disabledAt, createdAt, idTokenSignedResponseAlg, idTokenClaims } = client
  // Texts that depend on other columns, too.
  const texts: Readonly<Record<string, string>> = {
    logo: logo === null ? 'none' : describeLogo(logo),
    implicit: writePolicy(client),
    grantTypes: grantsOf(client).join(' ') || 'none',
    pkce: describePkce(client),
    idTokenSignedResponseAlg: `signed with ${idTokenSignedResponseAlg}${idTokenClaims ? ', with the claims of granted scopes' : ''}`
  }
  const columns: Readonly<Record<string, unknown>> = { ...client }
  const [name = [], logoRow = [], ...fields] = everyField.flatMap(([name, { show }]) => {
    const value = columns[name]
    if (show === undefined) return []
    const [label, text] = show
    if (Array.isArray(value) && !(name in texts)) return list(label, value)
    const shown = texts[name] ?? (text === undefined ? String(value) : text(value))
    return shown === undefined ? [] : [[label, shown]]
  })
  return table([
    ['Client ID', id],
    name,
    logoRow,
    ['State', disabledAt === null ? stateOf(client) : `${stateOf(client)} since ${disabledAt.toISOString()}`],
    ...fields,
    ['Registered', `${createdAt.toISOString()}${REGISTRARS[client.registeredBy]}`],
    ...Object.entries(readLinks(client.links)),
    ...isSelfRegistered(client) ? [['Last allowed', client.usedAt?.toISOString().slice(0, 10) ?? 'never']] : []
  ])
}

function list (label: string, values: readonly string[]): string[][] {
  return values.length === 0 ? [[label, 'none']] : values.map((value, index) => [index === 0 ? label : '', value])
}
