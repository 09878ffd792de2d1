import { command, noun, type Define } from '@frontdesk/service-kit/cli/command'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { Progress } from '@frontdesk/service-kit/cli/progress'
import { resolve } from 'node:path'
import type { Copied, Progress as OnProgress } from './copy.js'
import type { DatabaseConfig } from './settings.js'

/** The functions of a service that the commands call. */
interface DbOptions {
  /** @throws ConfigError if they are invalid */
  readonly readSettings: () => DatabaseConfig
  readonly copy: (from: string, to: string, database: DatabaseConfig['database'], progress: OnProgress) => Promise<Copied>
}

/** `db copy` and `db backup`. */
export function dbCommands ({ readSettings, copy }: DbOptions): Define {
  return noun('db', 'Copy or back up the database of this service.', [
    command('copy', {
      says: 'Copy all data into another, empty database, such as from SQLite to PostgreSQL. All or nothing.',
      options: {
        '--from <url>': 'the database to copy from; default: DATABASE_URL',
        '--to <url>': 'the database to copy to; default: DATABASE_URL'
      },
      json: 'the tables with their rows',
      more: `Stop the service first. If rows change in the meantime, nothing is copied.
Other users of this machine can see the arguments of a command: pass an
address with a password in DATABASE_URL.`,
      async run ({ from, to }) {
        if (from === undefined && to === undefined) throw new CommandError('Add --from or --to; DATABASE_URL is the other database.')
        const { databaseUrl, database } = readSettings()
        const read = async (name: string, url?: string) => (url === undefined ? databaseUrl : await resolveAddress(name, url))
        const [source, target] = [await read('--from', from), await read('--to', to)]
        const progress = await Progress.open()
        let phase = ''
        try {
          return await copy(source, target, database, (doing, done, total) => {
            if (doing !== phase) progress.start(doing, { unit: 'rows', total })
            phase = doing
            progress.set(done)
          })
        } catch (cause) {
          const isRefusal = cause instanceof Error && cause.name === 'CopyRefusal'
          throw new CommandError(isRefusal ? cause.message : `Nothing was copied: ${describeError(cause)}.`, { cause })
        } finally {
          progress.stop()
        }
      },
      text: copied => [
        ...copied.map(({ table, rows, checksum }) => `${table}: ${rows} rows, checksum ${checksum.split(':')[1]}`),
        'Copied and compared. Set DATABASE_URL to the new address and keep all other settings. Later writes to the old database are not copied.'
      ].join('\n')
    }),
    command('backup', {
      says: 'Write a consistent copy of the SQLite database into a new file. The service may run.',
      options: { '--to <file>': { says: 'the file to write', required: true } },
      async run ({ to }) {
        const { databaseUrl } = readSettings()
        const { backUp } = await import('./backup.js')
        await backUp(databaseUrl, resolve(to))
          .catch(cause => { throw new CommandError(`Nothing was backed up: ${describeError(cause)}.`, { cause }) })
        return { file: to }
      },
      text: ({ file }) => `Wrote ${file}.`
    })
  ])
}

/** Validates a database URL and makes the path of a file absolute. */
async function resolveAddress (name: string, url: string): Promise<string> {
  const { whyNotAddress } = await import('./settings.js')
  const reason = whyNotAddress(name, url)
  if (reason !== null) throw new CommandError(reason)
  if (/^postgres(ql)?:\/\/./.test(url)) return url
  if (!/^file:./.test(url)) throw new CommandError('An address must be file: and a path, or begin with postgresql://.')
  return `file:${resolve(url.slice('file:'.length))}`
}

function describeError (error: unknown): string {
  // Messages may contain URLs, and URLs passwords.
  const message = error instanceof AggregateError
    ? error.errors.map(describeError).join(', ')
    : error instanceof Error ? error.message : String(error)
  return message.replace(/\/\/[^@\s]*@/g, '//').replace(/\.$/, '')
}
