import { command } from '@frontdesk/service-kit/cli/command'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { Progress } from '@frontdesk/service-kit/cli/progress'
import { contentKey, openSource, type Source } from '@frontdesk/service-kit/cli/source'
import { setFlagsFromString } from 'node:v8'
import { describeImport, importFile, type ImportReport } from '../admin/import-file.js'
import type { ImportedPerson, ImportOptions, ImportResult } from '../admin/import-users.js'
import { formatByName, peopleFormats, readPeopleFile, type PeopleFormat } from '../admin/people-files/index.js'
import { withStores } from './with-stores.js'

/** A file, and how to import it. */
interface Input extends Omit<ImportOptions, 'key'> { readonly file: string, readonly format?: string, readonly key?: string }

type Send = (people: readonly ImportedPerson[], options: ImportOptions) => Promise<ImportResult>

/** `user import`. */
export const importCommand = command('import <file>', {
  says: 'Import users, with password hashes, from CSV, Keycloak or Auth0. Existing users stay unchanged.',
  options: {
    '--format <format>': { says: 'default: by the file extension, .csv, .json (keycloak) or .ndjson (auth0)', choices: peopleFormats },
    '--dry-run': 'check the file only',
    '--keep-ids': 'keep users\' ids, which apps see as "sub"',
    '--trust-emails': 'trust the addresses that the file calls verified',
    '--invite': 'invite users without a password by email; the server sends it',
    '--key <key>': 'identifies the import; default: derived from the file\'s contents'
  },
  json: 'the report',
  more: `"-" reads standard input, and needs --format and --key. To continue an
interrupted import, run the same command again: users who were already imported
stay unchanged. The same applies to a corrected file with the same --key.
Exit codes: 0 all were imported, 1 some failed.`,
  run: async input => await withStores(async (stores, by) => {
    // Loaded on demand: it starts threads.
    const { importUsers } = await import('../admin/import-users.js')
    return await importFrom(input, async (people, options) => await importUsers(stores, people, options, by))
  }),
  remote: async (api, input) => await importFrom(input, async (users, options) =>
    await api.post<ImportResult>('/users/import', { ...options, users })),
  text: (report, { dryRun }) => Object.values(describeImport(report, dryRun === true)).flat().join('\n'),
  exitCode: ({ failed, unreadable }) => failed > 0 || unreadable !== null ? 1 : 0
})

/** @throws UsageError, CommandError */
async function importFrom (input: Input, send: Send): Promise<ImportReport> {
  const { file, key, keepIds, trustEmails, invite, dryRun } = input
  // as: commander has checked it.
  const format = (input.format ?? formatByName(file)) as PeopleFormat | undefined
  if (format === undefined) throw new UsageError(`add --format: ${file} does not end in .csv, .json, .ndjson or .jsonl`)
  // Rows die young: a larger heap would take 80 MB, and save no time.
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=100']) setFlagsFromString(flag)
  const source = await openSource(file)
  const progress = await Progress.open()
  try {
    if (source.size === undefined && key === undefined) throw new UsageError('add --key: standard input can be read only once')
    const options = { key: key ?? await contentKey(source, [format]), keepIds, trustEmails, invite, dryRun }
    progress.start('Importing', { unit: 'MB', total: source.size })
    return await importFile(readPeopleFile(format, counted(source, progress)), options, async people => await send(people, options))
  } finally {
    progress.stop()
    await source.close()
  }
}

async function * counted (source: Source, progress: Progress): AsyncGenerator<Buffer> {
  for await (const bytes of source.read()) {
    progress.add(bytes.length)
    yield bytes
  }
}
