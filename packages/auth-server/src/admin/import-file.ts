import { UnreadableFile } from '@frontdesk/service-kit/records/record'
import { quote, showable } from '@frontdesk/service-kit/showable'
import { MAX_IMPORTED } from './import-limit.js'
import type { ImportedPerson, ImportResult } from './import-users.js'
import type { FileRecord } from './people-files/record.js'

/** Errors of one record of a file. */
interface LineError {
  /** As editors count. */
  readonly line: number
  readonly username?: string
  readonly errors: ReadonlyArray<{ readonly field: string, readonly detail: string }>
}

/** What happened to the users of a file. */
export interface ImportReport extends Omit<ImportResult, 'errors' | 'missingRoles'> {
  /** Records of the file. */
  readonly read: number
  readonly failed: number
  /** Errors of the first {@link MAX_ERRORS} failed records. */
  readonly errors: readonly LineError[]
  /** Number of users by what was not imported, in words. */
  readonly left: Readonly<Record<string, number>>
  /** Why the file could not be read to its end, in a sentence; `null`: it was. */
  readonly unreadable: string | null
}

const MAX_ERRORS = 1_000
/** Maximum names of {@link ImportReport.left}; a file can name any number of roles. */
const MAX_LEFT = 100
/** Maximum characters of JSON that are imported at once. */
const CHUNK_CHARACTERS = 1_000_000

/** Imports the users of a file in parts, in constant memory. @param send imports a part @throws what `send` throws */
export async function importFile (
  records: AsyncIterable<FileRecord>, send: (people: readonly ImportedPerson[]) => Promise<ImportResult>
): Promise<ImportReport> {
  const counts = { read: 0, added: 0, present: 0, withoutPassword: 0, failed: 0 }
  const errors: LineError[] = []
  const left = new Map<string, number>()
  let [chunk, size]: [Array<{ line: number, person: ImportedPerson }>, number] = [[], 0]
  let unreadable: string | null = null

  const leave = (name: string, users = 1) => { if (left.has(name) || left.size < MAX_LEFT) left.set(name, (left.get(name) ?? 0) + users) }
  const fail = (error: LineError) => {
    counts.failed++
    if (errors.length < MAX_ERRORS) errors.push(error)
  }
  async function flush () {
    const sent = chunk;
    [chunk, size] = [[], 0]
    if (sent.length === 0) return
    const result = await send(sent.map(({ person }) => person))
    for (const count of ['added', 'present', 'withoutPassword'] as const) counts[count] += result[count]
    for (const [role, users] of Object.entries(result.missingRoles)) leave(`the role ${JSON.stringify(role)}`, users)
    for (const { index, errors } of result.errors) {
      // !: an index of the sent users.
      const { line, person: { username } } = sent[index]!
      fail({ line, username, errors })
    }
  }

  try {
    for await (const record of records) {
      counts.read++
      if ('fault' in record) fail({ line: record.line, errors: [{ field: '', detail: record.fault }] })
      else {
        for (const name of record.left) leave(name)
        if (record.person !== null) {
          chunk.push({ line: record.line, person: record.person })
          size += JSON.stringify(record.person).length
        }
      }
      if (chunk.length === MAX_IMPORTED || size > CHUNK_CHARACTERS) await flush()
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    unreadable = error.message
  }
  await flush()
  return { ...counts, errors: errors.toSorted((one, other) => one.line - other.line), left: Object.fromEntries(left), unreadable }
}

/** A report in words: a sentence with the counts, what was not imported, and a line for each error. */
export function describeImport (
  { read, added, present, withoutPassword, failed, errors, left, unreadable }: ImportReport, isDryRun: boolean
): { readonly summary: string, readonly notes: string[], readonly errors: string[] } {
  const before = present === 0 ? '' : `, ${present} imported before`
  const outcome = isDryRun ? `${added} can be imported` : `${added} imported`
  const names = Object.entries(left).map(([name, users]) => `${showable(name)} (${users})`)
  return {
    summary: `${read} ${read === 1 ? 'user' : 'users'} read, ${outcome}${before}, ${failed} failed.${isDryRun ? ' Nothing has been imported yet.' : ''}`,
    notes: [
      ...withoutPassword === 0 ? [] : [`${withoutPassword} without a password.`],
      ...names.length === 0 ? [] : [`Not imported, with the number of users: ${names.join(', ')}.`],
      ...unreadable === null ? [] : [`The file could not be read completely. ${showable(unreadable)}`]
    ],
    errors: [
      ...errors.flatMap(({ line, username, errors }) => errors.map(({ field, detail }) =>
        `line ${line}${username === undefined ? '' : ` (${quote(username)})`}: ${field === '' ? '' : `${field}: `}${showable(detail)}`)),
      ...failed > errors.length ? [`… and ${failed - errors.length} more.`] : []
    ]
  }
}
