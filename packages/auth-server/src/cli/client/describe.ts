import { table } from '@frontdesk/service-kit/cli/table'
import { entryOf } from '../../admin/client-entry.js'
import { clientFacts } from '../../admin/client-facts.js'
import { fields } from '../../languages/en/console/fields.js'
import { withValues } from '../../languages/reason.js'
import type { FieldText } from '../../oauth/client-field.js'
import type { Client } from '../../oauth/client.js'
import { isSelfRegistered } from '../../oauth/identity.js'
import { readLinks } from '../../registration/client-links.js'
import type { Image } from '@frontdesk/service-kit/image'
import { describeState } from '../print.js'
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
  const [name = [], logoRow = [], ...others] = clientFacts(client, {
    logo: logo === null ? 'none' : describeLogo(logo),
    pkce: describePkce(client),
    idTokenSignedResponseAlg: `signed with ${idTokenSignedResponseAlg}${idTokenClaims ? ', with the claims of granted scopes' : ''}`
  }).flatMap(([label, value]) =>
    typeof value === 'string' || 'key' in value ? [[fields[label], inEnglish(value)]] : list(fields[label], value))
  return table([
    ['Client ID', id],
    name,
    logoRow,
    ['State', disabledAt === null ? describeState(client) : `${describeState(client)} since ${disabledAt.toISOString()}`],
    ...others,
    ['Registered', `${createdAt.toISOString()}${REGISTRARS[client.registeredBy]}`],
    ...Object.entries(readLinks(client.links)),
    ...isSelfRegistered(client) ? [['Last allowed', client.usedAt?.toISOString().slice(0, 10) ?? 'never']] : []
  ])
}

function list (label: string, values: readonly string[]): string[][] {
  return values.length === 0 ? [[label, 'none']] : values.map((value, index) => [index === 0 ? label : '', value])
}

function inEnglish (text: FieldText): string {
  if (typeof text === 'string') return text
  return withValues(fields[text.key], text.values ?? {})
}
