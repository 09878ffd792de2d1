import { findings, type Finding } from './finding.js'

/** The state of a database, which was read without a change. */
export interface DatabaseState {
  /** Whether it exists: the service creates the file of SQLite. */
  readonly isThere: boolean
  /** Why it cannot be created, and what to do: there is no folder for it. `undefined` if it can, or exists. */
  readonly noFolder: readonly [sentence: string, remedy: string] | undefined
  /**
   * Migrations of this version that are applied, that are not, that were edited after they had been applied, and applied
   * ones that this version does not know.
   */
  readonly applied: string[]
  readonly pending: string[]
  readonly edited: string[]
  readonly unknown: string[]
  /** Why it is read-only; `undefined` if it is not. */
  readonly readOnly: string | undefined
  /** How many seconds its clock is ahead of ours; `undefined` if it has no clock of its own. */
  readonly ahead: number | undefined
  /** Its text encoding, as PostgreSQL names it. */
  readonly encoding: string
}

/** Whether the service can use a database. @param url its address; findings do not show the password */
export function judgeDatabase (
  url: string,
  { isThere, noFolder, applied, pending, edited, unknown, readOnly, encoding }: DatabaseState
): Finding[] {
  const { ok, warning, wrong } = findings('database')
  const place = databaseName(url)
  if (noFolder !== undefined) return [wrong(...noFolder)]
  if (readOnly !== undefined) {
    return [wrong(
      `Nothing can be written to the database ${place}: ${readOnly}.`,
      'Fix that; for a file, its folder must be writable too. Run this as the user that the service runs as.'
    )]
  }
  if (encoding !== 'UTF8') {
    return [wrong(
      `The database ${place} has the encoding ${encoding}, which lacks letters.`,
      "Create one with UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0), and set DATABASE_URL to it."
    )]
  }
  if (!isThere) {
    return [warning(
      `There is no database ${place} yet.`,
      'The service creates it when it starts. If there should be one, check DATABASE_URL.'
    )]
  }
  if (applied.length + unknown.length + edited.length === 0) {
    return [warning(
      `The database ${place} is empty.`,
      'The service creates its tables when it starts. If there should be some, check DATABASE_URL.'
    )]
  }
  const other = whyNotOurs(url, { pending, edited, unknown })
  if (other !== null) return [wrong(other.sentence, other.remedy)]
  const found: Finding[] = []
  if (pending.length > 0) {
    found.push(
      warning(
        `The database ${place} lacks migrations of this version: ${pending.join(', ')}.`,
        'The service applies them when it starts. Back up before.'
      )
    )
  }
  if (unknown.length > 0) {
    found.push(
      warning(
        `The database ${place} has migrations that this version does not know: ${unknown.join(', ')}.`,
        'A newer version has used it. Finish the update, or install that version here.'
      )
    )
  }
  return found.length > 0 ? found : [ok(`The database ${place} answers, and its schema is up to date.`)]
}

/**
 * Why a service does not start on a database: neither this build has made it, nor a later release, which has every
 * migration of this one. `null` if one of them has.
 */
export function whyNotOurs (url: string, { pending, edited, unknown }: Pick<DatabaseState, 'pending' | 'edited' | 'unknown'>) {
  const lacking = pending.length > 0 ? unknown[0] : undefined
  if (edited[0] === undefined && lacking === undefined) return null
  const difference = edited[0] === undefined ? `this build lacks the migration ${lacking}` : `the migration ${edited[0]} differs from this build's`
  return {
    sentence: `The database ${databaseName(url)} was made by another build: ${difference}.`,
    remedy: 'Export with that build, delete the database, start this build, and import.'
  }
}

/** Another build has made the database; the message is whole sentences. */
export class OtherBuildError extends Error {
  override readonly name = 'OtherBuildError'
}

/** Why the state of a database could not be read. */
export function explainDatabase (url: string, error: unknown): Finding {
  const { wrong } = findings('database')
  const place = databaseName(url)
  const { code = '', message } = driverError(error) ?? { message: error instanceof Error ? error.message : undefined }
  const reasons: Array<[code: RegExp, sentence: string, remedy: string]> = [
    [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name is not known here', 'Check the host in DATABASE_URL.'],
    [/^ECONNREFUSED$/, 'nothing listens there', 'Start it, or correct host and port in DATABASE_URL.'],
    [
      /^(28P01|28000)$/, 'it refuses the user name or password',
      'Correct them in DATABASE_URL; characters such as @ : / must be percent-encoded there.'
    ],
    [/^3D000$/, 'there is no database of that name', 'Create it (CREATE DATABASE), or correct the name in DATABASE_URL.'],
    [/^42501$/, 'the user may not read its tables', 'Make the user of DATABASE_URL the owner of the database.'],
    [/^53300$/, 'it has no connection left', 'Close some, or raise its max_connections.'],
    [
      /^(EMFILE|ENFILE)$/, 'no more files and connections may be opened here',
      'Raise the limit: `ulimit -n 65536`, LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 for a container.'
    ],
    [/^57P03$/, 'it is starting or stopping', 'Wait a moment and run doctor again.'],
    [/^SQLITE_BUSY/, 'another process has been writing to the file for too long', 'Wait until it is done, or stop it.'],
    [/^SQLITE_NOTADB$/, 'the file is not a database', 'Correct DATABASE_URL, or restore the file from a backup.'],
    [/^SQLITE_CORRUPT/, 'the file is damaged', 'Restore it from a backup.'],
    [
      /^(SQLITE_CANTOPEN|EACCES)/, 'the file or its folder cannot be opened',
      'Run this as the user that the service runs as, and give that user the folder.'
    ]
  ]
  const [, sentence, remedy] = reasons.find(([known]) => known.test(code)) ?? ['', reasonOf(message), 'Fix that, or correct DATABASE_URL.']
  return wrong(`The database ${place} cannot be used: ${sentence}.`, remedy)
}

/**
 * The error of a service that cannot start with its database: what is wrong and what to do. Returns errors that are not the
 * driver's as they are.
 */
export function databaseError (url: string, error: unknown): unknown {
  if (driverError(error) === undefined) return error
  const { sentence, remedy } = explainDatabase(url, error)
  return new Error(`${sentence} ${remedy}`, { cause: error })
}

/** The code and message of the database: the drivers throw them, Prisma's wrap them. `undefined` for any other error. */
function driverError (error: unknown): { code: string, message: string } | undefined {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return undefined
  // as: any property of an error may be missing.
  const { code, cause = {} } = first as { code?: unknown, cause?: { originalCode?: string, originalMessage?: string } }
  const { originalCode, originalMessage } = cause
  if (originalCode !== undefined && originalMessage !== undefined) return { code: originalCode, message: originalMessage }
  return typeof code === 'string' ? { code, message: first.message } : undefined
}

/** The address without user name, password and parameters. */
export function databaseName (url: string): string {
  if (url.startsWith('file:')) return url.slice('file:'.length)
  return URL.canParse(url) ? `postgresql://${new URL(url).host}${new URL(url).pathname}` : 'at DATABASE_URL'
}

/** The driver's message, without the lines of code that Prisma puts before it. */
function reasonOf (message = 'it does not say why'): string {
  if (/timeout|timed out/i.test(message)) return 'it does not answer in time'
  return (message.trim().split('\n').at(-1) ?? '').replace(/\.$/, '')
}
