import { UnreadableFile } from '@frontdesk/service-kit/records/record'
import { quote, showable } from '@frontdesk/service-kit/showable'
import { isReasonKey, reason, type Reason } from '../languages/reason.js'
import { foldUsername } from '../stores/users/user-columns.js'
import { FileNames } from './file-names.js'
import { MAX_IMPORTED } from './import-limit.js'
import type { ImportedPerson, ImportOptions, ImportResult } from './import-users.js'
import type { FileRecord } from './people-files/record.js'

/** Errors of one record of a file. */
interface LineError {
  /** As editors count. */
  readonly line: number
  readonly username?: string
  readonly errors: ReadonlyArray<{ readonly field: string, readonly detail: Reason | string }>
}

/** What happened to the users of a file. */
export interface ImportReport extends Omit<ImportResult, 'errors' | 'missingRoles'> {
  /** Records of the file. */
  readonly read: number
  readonly failed: number
  /** Errors of the first {@link MAX_ERRORS} failed records. */
  readonly errors: readonly LineError[]
  /** What was not imported, and of how many users. */
  readonly left: ReadonlyArray<{ readonly what: Reason | string, readonly users: number }>
  /** Why the file could not be read to its end; `null`: it was. */
  readonly unreadable: Reason | string | null
}

const MAX_ERRORS = 1_000
/** Maximum names of {@link ImportReport.left}; a file can name any number of roles. */
const MAX_LEFT = 100
/** Maximum characters of JSON that are imported at once. */
const CHUNK_CHARACTERS = 1_000_000

/**
 * Imports the users of a file in parts, in constant memory. A dry run also finds users who are in the file twice: an import finds them
 * in the database.
 * @param send imports a part
 * @throws what `send` throws
 */
export async function importFile (
  records: AsyncIterable<FileRecord>,
  { dryRun, keepIds }: Pick<ImportOptions, 'dryRun' | 'keepIds'>,
  send: (people: readonly ImportedPerson[]) => Promise<ImportResult>
): Promise<ImportReport> {
  const counts = { read: 0, added: 0, present: 0, withoutPassword: 0, failed: 0 }
  const errors: LineError[] = []
  const left = new Map<string, { readonly what: Reason | string, readonly users: number }>()
  const names = dryRun === true ? new FileNames() : null
  let [chunk, size]: [Array<{ line: number, person: ImportedPerson }>, number] = [[], 0]
  let unreadable: Reason | string | null = null

  const leave = (what: Reason | string, users = 1) => {
    const name = String(what)
    const before = left.get(name)
    if (before !== undefined || left.size < MAX_LEFT) left.set(name, { what, users: (before?.users ?? 0) + users })
  }
  const fail = (error: LineError) => {
    counts.failed++
    if (errors.length < MAX_ERRORS) errors.push(error)
  }
  function repeatedIn ({ username, id }: ImportedPerson): LineError['errors'] {
    if (names === null) return []
    const isName = names.addOrFind(`username ${foldUsername(username)}`)
    const isId = keepIds === true && id !== undefined && names.addOrFind(`id ${id}`)
    const fields = [...isName ? ['username'] : [], ...isId ? ['id'] : []]
    return fields.map(field => ({ field, detail: reason('import.repeated') }))
  }
  async function flush () {
    const sent = chunk;
    [chunk, size] = [[], 0]
    if (sent.length === 0) return
    const result = await send(sent.map(({ person }) => person))
    for (const count of ['added', 'present', 'withoutPassword'] as const) counts[count] += result[count]
    for (const [role, users] of Object.entries(result.missingRoles)) leave(reason('import.left.role', { role: quote(role) }), users)
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
        const repeated = record.person === null ? [] : repeatedIn(record.person)
        if (repeated.length > 0) fail({ line: record.line, username: record.person!.username, errors: repeated })
        else if (record.person !== null) {
          chunk.push({ line: record.line, person: record.person })
          size += JSON.stringify(record.person).length
        }
      }
      if (chunk.length === MAX_IMPORTED || size > CHUNK_CHARACTERS) await flush()
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const { reason: name, ...values } = error.fault
    const key = `file.${name}`
    unreadable = isReasonKey(key) ? reason(key, values) : error.message
  }
  await flush()
  return { ...counts, errors: errors.toSorted((one, other) => one.line - other.line), left: [...left.values()], unreadable }
}

/** A report in words: a sentence with the counts, what was not imported, and a line for each error. */
export function describeImport (
  { read, added, present, withoutPassword, failed, errors, left, unreadable }: ImportReport, isDryRun: boolean
): { readonly summary: Reason, readonly notes: Reason[], readonly errors: Reason[] } {
  const counts = { read, added, present, failed }
  return {
    summary: isDryRun
      ? reason(present === 0 ? 'import.checked' : 'import.checked-again', counts)
      : reason(present === 0 ? 'import.done' : 'import.done-again', counts),
    notes: [
      ...withoutPassword === 0 ? [] : [reason('import.without-password', { users: withoutPassword })],
      ...left.map(({ what, users }) => reason('import.left', { what: typeof what === 'string' ? showable(what) : what, users })),
      ...unreadable === null ? [] : [reason('import.unreadable', { why: unreadable })]
    ],
    errors: [
      ...errors.flatMap(error => error.errors.map(({ field, detail }) => describeError(error, field, detail))),
      ...failed > errors.length ? [reason('import.more', { count: failed - errors.length })] : []
    ]
  }
}

function describeError ({ line, username }: LineError, field: string, detail: Reason | string): Reason {
  const shown = typeof detail === 'string' ? showable(detail) : detail
  const why = field === '' ? shown : reason('import.field', { field, why: shown })
  return username === undefined
    ? reason('import.line', { line, why })
    : reason('import.line-user', { line, username: quote(username), why })
}
