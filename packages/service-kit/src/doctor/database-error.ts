import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../cli/errors.js'
import { databaseName } from './database.js'
import { findings, type Finding } from './finding.js'

/** Explains why the state of a database could not be read. */
export function explainDatabase (url: string, error: unknown): Finding {
  const { wrong } = findings('database')
  const place = databaseName(url)
  const { code = '', message } = driverError(error) ?? { message: error instanceof Error ? error.message : undefined }
  const reasons: Array<[code: RegExp, sentence: string, remedy: string]> = [
    [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name is unknown here', 'Check the host in DATABASE_URL.'],
    [/^ECONNREFUSED$/, 'nothing listens there', 'Start it, or correct host and port in DATABASE_URL.'],
    [
      /^(28P01|28000)$/, 'it refuses the user name or password',
      'Correct them in DATABASE_URL; characters such as @ : / must be percent-encoded there.'
    ],
    [/^3D000$/, 'there is no database of that name', 'Create it (CREATE DATABASE), or correct the name in DATABASE_URL.'],
    [/^42501$/, 'the user has no permission to read its tables', 'Make the user of DATABASE_URL the owner of the database.'],
    [/^53100$/, 'its disk is full', 'Free space there.'],
    [/^53300$/, 'it has no connection left', 'Close some, or raise its max_connections.'],
    [
      /^(EMFILE|ENFILE)$/, 'no more files and connections may be opened here',
      'Raise the limit: `ulimit -n 65536`, LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 for a container.'
    ],
    [/^57P03$/, 'it is starting or stopping', 'Wait a moment and run doctor again.'],
    [/^SQLITE_BUSY/, 'another process has been writing to the file for too long', 'Wait until it is done, or stop it.'],
    [/^SQLITE_NOTADB$/, 'the file is not a database', 'Correct DATABASE_URL, or restore the file from a backup.'],
    [/^SQLITE_CORRUPT/, 'the file is damaged', 'Restore it from a backup.'],
    [/^(SQLITE_FULL|ENOSPC|EDQUOT)$/, ...FULL],
    [/^SQLITE_IOERR/, 'its disk reports an error', 'Look into the log of the kernel (dmesg). If the disk is broken, restore the file from a backup.'],
    [
      /^(SQLITE_CANTOPEN|EACCES)/, 'the file or its folder cannot be opened',
      'Run this as the user that the service runs as, and give that user the folder.'
    ]
  ]
  const noSpace = url.startsWith('file:') && /^(SQLITE_(FULL|IOERR|CANTOPEN)|ENOSPC)/.test(code) ? whyNoSpace(databaseName(url)) : undefined
  const [, sentence, remedy] = noSpace !== undefined
    ? ['', ...noSpace]
    : reasons.find(([known]) => known.test(code)) ?? ['', formatReason(message), 'Fix that, or correct DATABASE_URL.']
  return wrong(`The database ${place} cannot be used: ${sentence}.`, remedy)
}

/** Makes the error of a service that cannot start with its database. Returns errors that are not the driver's unchanged. */
export function databaseError (url: string, error: unknown): unknown {
  if (driverError(error) === undefined) return error
  const { sentence, remedy } = explainDatabase(url, error)
  return new Error(`${sentence} ${remedy}`, { cause: error })
}

/** Makes the error of a command that cannot open its database. */
export function openError (url: string, cause: unknown): CommandError {
  const error = databaseError(url, cause)
  return new CommandError(error instanceof Error ? error.message : String(error), { cause })
}

/** The database's code and message, which drivers throw, and Prisma wraps; `undefined` for any other error. */
function driverError (error: unknown): { code: string, message: string } | undefined {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return undefined
  // as: any property of an error may be missing.
  const { code, cause = {} } = first as { code?: unknown, cause?: { originalCode?: string, originalMessage?: string } }
  const { originalCode, originalMessage } = cause
  if (originalCode !== undefined && originalMessage !== undefined) return { code: originalCode, message: originalMessage }
  return typeof code === 'string' ? { code, message: first.message } : undefined
}

/** The last line of the driver's message: Prisma puts lines of code before it. */
function formatReason (message = 'it does not say why'): string {
  if (/timeout|timed out/i.test(message)) return 'it does not respond in time'
  return (message.trim().split('\n').at(-1) ?? '').replace(/\.$/, '')
}

/** Space that SQLite needs to open a file, in bytes: its -shm file. */
const MIN_FREE_BYTES = 32_768

const FULL = ['its disk is full', 'Free space on the file\'s volume (see df -h), but never delete its -wal and -shm files.'] as const

/** Finds out whether the disk of a file is full, which SQLite also reports as other errors when it opens a database. */
function whyNoSpace (path: string): readonly [sentence: string, remedy: string] | undefined {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  if (bavail * bsize < MIN_FREE_BYTES) return FULL
  // `files` is 0 if the file system has no such limit.
  return files > 0 && ffree === 0
    ? ['its disk has no room for more files', 'Remove files from its volume (df -i shows their number), but never its -wal and -shm files.']
    : undefined
}
