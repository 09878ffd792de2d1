import type { Command } from 'commander'
import { resolve } from 'node:path'

/** Receives the progress of a copy: `done` of `all` rows in this phase. */
type Progress = (doing: string, done: number, all: number) => void

/** The functions of a service that the commands call. */
export interface DbOptions {
  /** Reads the database URL from the settings. @throws if they are invalid */
  readUrl: () => Promise<string>
  copy: (from: string, to: string, progress: Progress) => Promise<Array<{ table: string, rows: number, checksum: string }>>
  backUp: (url: string, file: string) => Promise<void>
  /** Makes an error whose message the command prints. */
  refuse: (sentence: string, cause?: unknown) => Error
}

/** `db copy` and `db backup`. */
export function db (program: Command, { readUrl, copy, backUp, refuse }: DbOptions): void {
  const group = program.command('db').description('Copy or back up the database of this service.')

  group
    .command('copy')
    .description('Copy all data into another, empty database, such as from SQLite to PostgreSQL. All or nothing.')
    .option('--from <url>', 'the database to copy from; default: DATABASE_URL')
    .option('--to <url>', 'the database to copy to; default: DATABASE_URL')
    .addHelpText(
      'after',
      `
Stop the service first. If rows change in the meantime, nothing is copied.
Other users of this machine can see the arguments of a command: pass an
address with a password in DATABASE_URL.`
    )
    .action(async ({ from, to }: { from?: string, to?: string }) => {
      if (from === undefined && to === undefined) throw refuse('Add --from or --to; DATABASE_URL is the other database.')
      const read = async (name: string, url?: string) => (url === undefined ? await readUrl() : await addressOf(name, url, refuse))
      const [source, target] = [await read('--from', from), await read('--to', to)]
      const { progress, stop } = await showProgress()
      try {
        const copied = await copy(source, target, progress)
        stop()
        for (const { table, rows, checksum } of copied) console.log(`${table}: ${rows} rows, checksum ${checksum.split(':')[1]}`)
        console.log(
          'Copied and compared. Set DATABASE_URL to the new address and keep all other settings. Later writes to the old database are not copied.'
        )
      } catch (cause) {
        stop()
        throw refuse(
          cause instanceof Error && cause.name === 'CopyRefusal' ? cause.message : `Nothing was copied: ${reasonOf(cause)}.`,
          cause
        )
      }
    })

  group.command('backup')
    .description('Write a consistent copy of the SQLite database into a new file. The service may run.')
    .requiredOption('--to <file>', 'the file to write')
    .action(async ({ to }: { to: string }) => {
      await backUp(await readUrl(), resolve(to)).catch(cause => { throw refuse(`Nothing was backed up: ${reasonOf(cause)}.`, cause) })
      console.log(`Wrote ${to}.`)
    })
}

/** Validates a database URL and makes the path of a file absolute. */
async function addressOf (name: string, url: string, refuse: DbOptions['refuse']): Promise<string> {
  const { whyNotAddress } = await import('./settings.js')
  const reason = whyNotAddress(name, url)
  if (reason !== null) throw refuse(reason)
  if (/^postgres(ql)?:\/\/./.test(url)) return url
  if (!/^file:./.test(url)) throw refuse('An address must be file: and a path, or begin with postgresql://.')
  return `file:${resolve(url.slice('file:'.length))}`
}

/** Shows a progress bar on a terminal, nothing elsewhere. */
async function showProgress (): Promise<{ progress: Progress, stop: () => void }> {
  if (!process.stderr.isTTY) return { progress: () => {}, stop: () => {} }
  const { default: { SingleBar } } = await import('cli-progress')
  const bar = new SingleBar({
    format: '{doing} {bar} {percentage} % | {value} of {total} rows',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true
  })
  let current = ''
  return {
    progress (doing, done, all) {
      if (doing !== current) bar.start(all, done, { doing })
      current = doing
      bar.update(done, { doing })
    },
    stop: () => bar.stop()
  }
}

function reasonOf (error: unknown): string {
  // Messages may contain URLs, and URLs passwords.
  const message = error instanceof AggregateError
    ? error.errors.map(reasonOf).join(', ')
    : error instanceof Error ? error.message : String(error)
  return message.replace(/\/\/[^@\s]*@/g, '//').replace(/\.$/, '')
}
