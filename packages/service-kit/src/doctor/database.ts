import { compareClocks } from './clock.js'
import { findings, type Finding } from './finding.js'

/** The state of a database. */
interface DatabaseState {
  /** Whether it exists: the service creates SQLite's file. */
  readonly isThere: boolean
  /** Why its folder does not exist and cannot be created, and what to do. */
  readonly noFolder: readonly [sentence: string, remedy: string] | undefined
  /** Migrations of this version that are applied, missing, or edited after they were applied; and applied ones of other versions. */
  readonly applied: string[]
  readonly pending: string[]
  readonly edited: string[]
  readonly unknown: string[]
  /** The other service, if the database belongs to it, and a table that shows this. */
  readonly otherOwner?: { readonly service: string, readonly table: string } | undefined
  /** Why it is read-only. */
  readonly readOnly: string | undefined
  /** Seconds that its clock is ahead of ours; `undefined` if it has no clock. */
  readonly ahead: number | undefined
  /** PostgreSQL's name of its text encoding. */
  readonly encoding: string
}

/** Checks whether the service can use a database, and its clock. @param url findings do not show its password */
export function judgeDatabase (url: string, state: DatabaseState): Finding[] {
  const { ahead } = state
  return [...judgeState(url, state), ...ahead === undefined ? [] : [compareClocks('database-clock', 'the database', ahead)]]
}

function judgeState (
  url: string,
  { isThere, noFolder, applied, pending, edited, unknown, otherOwner, readOnly, encoding }: DatabaseState
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
  const other = whyNotOurs(url, { pending, edited, unknown, otherOwner })
  if (other !== null) return [wrong(other.sentence, other.remedy)]
  if (applied.length + unknown.length + edited.length === 0) {
    return [warning(
      `The database ${place} is empty.`,
      'The service creates its tables when it starts. If there should be some, check DATABASE_URL.'
    )]
  }
  const found = [
    pending.length > 0 && warning(
      `The database ${place} lacks migrations of this version: ${pending.join(', ')}.`,
      'The service applies them when it starts. Back up before.'
    ),
    unknown.length > 0 && warning(
      `The database ${place} has migrations that this version does not know: ${unknown.join(', ')}.`,
      'A newer version has used it. Finish the update, or install that version here.'
    )
  ].filter(it => it !== false)
  return found.length > 0 ? found : [ok(`The database ${place} answers, and its schema is up to date.`)]
}

/**
 * Finds out why a service cannot use a database: the other service made it, or another build that is not a later release (a
 * later release has every migration of this build). `null` if it can be used.
 */
export function whyNotOurs (
  url: string,
  { pending, edited, unknown, otherOwner }: Pick<DatabaseState, 'pending' | 'edited' | 'unknown' | 'otherOwner'>
) {
  if (otherOwner !== undefined) {
    return {
      sentence: `The database ${databaseName(url)} belongs to ${otherOwner.service}: it has the table ${otherOwner.table}.`,
      remedy: 'Each service needs a database of its own. Correct DATABASE_URL or DATA_DIR.'
    }
  }
  const lacking = pending.length > 0 ? unknown[0] : undefined
  if (edited[0] === undefined && lacking === undefined) return null
  const difference = edited[0] === undefined
    ? `this build lacks the migration ${lacking}`
    : `the migration ${edited[0]} differs from this build's`
  return {
    sentence: `The database ${databaseName(url)} was made by another build: ${difference}.`,
    remedy: 'Export with that build, delete the database, start this build, and import.'
  }
}

/** Another build or service made the database; the message has whole sentences. */
export class OtherBuildError extends Error {
  override readonly name = 'OtherBuildError'
}

/** A database URL without user name, password and parameters. */
export function databaseName (url: string): string {
  if (url.startsWith('file:')) return url.slice('file:'.length)
  return URL.canParse(url) ? `postgresql://${new URL(url).host}${new URL(url).pathname}` : 'at DATABASE_URL'
}
