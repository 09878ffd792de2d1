import { isDeepStrictEqual } from 'node:util'
import { OAuthError } from '../oauth/errors.js'
import { describeMetadata } from './describe-registration.js'
import { parseDocument, readClientDocument, type DocumentAnswer, type DocumentConfig, type DocumentFields } from './read-client-document.js'

/** What a server makes of a member of a document. */
export interface MemberReport {
  readonly member: string
  /** `changed`: another value is used. `ignored`: it has no effect. */
  readonly outcome: 'accepted' | 'changed' | 'ignored' | 'refused'
  /** The value that is used instead; `null`: none. */
  readonly used: unknown
  /** The scopes, or the values of a list, that are not used. */
  readonly omitted: readonly string[]
  /** Why it is refused; `null`: it is not. */
  readonly fault: string | null
}

/** What a server makes of a document. */
export interface DocumentReport {
  readonly accepted: boolean
  /** Why the whole document is refused. The other members are then unknown. */
  readonly faults: readonly string[]
  readonly members: readonly MemberReport[]
}

/** Members that are read, and not listed in the metadata of a client. */
const UNLISTED = ['client_id', 'token_endpoint_auth_methods_supported']

/** Members that are read and kept, but have no effect. */
const INEFFECTIVE = ['response_types', 'logo_uri']

/**
 * Examines a client ID metadata document by the server's own rules. They report one fault at a time: its member is left out, and the
 * rest is read again, until nothing is refused.
 */
export async function examineDocument (
  id: string,
  answer: DocumentAnswer,
  { assertSector, ...config }: DocumentConfig & { assertSector: (fields: DocumentFields) => Promise<void> }
): Promise<DocumentReport> {
  const document = parseDocument(answer.text) ?? {}
  const refused = new Map<string, string>()
  // Required members are replaced.
  const rest: Record<string, unknown> = { ...document }
  const replacements: Record<string, unknown> = { client_id: id, redirect_uris: [id] }
  for (;;) {
    const found = await resultOf(async () => {
      const fields = readClientDocument(id, { ...answer, ...refused.size > 0 && { text: JSON.stringify(rest) } }, config)
      await assertSector(fields)
      return { fields }
    })
    if ('fields' in found) return { accepted: refused.size === 0, faults: [], members: reportMembers(document, refused, found.fields) }
    const { member, sentence } = found
    if (refused.has(member) || !(Object.hasOwn(rest, member) || Object.hasOwn(replacements, member))) {
      return { accepted: false, faults: [sentence], members: reportMembers({}, refused) }
    }
    refused.set(member, sentence)
    if (Object.hasOwn(replacements, member)) rest[member] = replacements[member]
    else Reflect.deleteProperty(rest, member)
  }
}

async function resultOf<T> (read: () => Promise<T>): Promise<T | { readonly member: string, readonly sentence: string }> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { member: String(error.facts.member ?? ''), sentence: error.shown.fault ?? error.description }
  }
}

function reportMembers (
  document: Record<string, unknown>, refused: ReadonlyMap<string, string>, fields?: DocumentFields
): MemberReport[] {
  const used: Record<string, unknown> = {
    scope: '', ...fields !== undefined && describeMetadata({ ...fields, sectorIdentifier: null }, [])
  }
  return [...new Set([...Object.keys(document), ...refused.keys()])].map(member => {
    const report = { member, used: null, omitted: [], fault: null }
    const why = refused.get(member)
    if (why !== undefined) return { ...report, outcome: 'refused', fault: why }
    if (UNLISTED.includes(member)) return { ...report, outcome: 'accepted' }
    if (INEFFECTIVE.includes(member) || !Object.hasOwn(used, member)) return { ...report, outcome: 'ignored' }
    if (isDeepStrictEqual(sorted(used[member]), sorted(document[member]))) return { ...report, outcome: 'accepted' }
    const kept = valuesOf(member, used[member])
    const omitted = valuesOf(member, document[member]).filter(it => !kept.includes(it))
    return { ...report, outcome: 'changed', used: used[member], omitted }
  })
}

/** The scopes, or the texts of a list. */
function valuesOf (member: string, value: unknown): string[] {
  const values: readonly unknown[] = member === 'scope' ? String(value).split(' ').filter(Boolean) : Array.isArray(value) ? value : []
  return [...new Set(values.filter(it => typeof it === 'string'))]
}

function sorted (value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value
}
