import { reason } from '../../languages/reason.js'
import { contentKey } from '@frontdesk/service-kit/cli/source'
import type { Config } from '../../config.js'
import { describeImport, importFile } from '../../admin/import-file.js'
import { assertSendsMail, importUsers } from '../../admin/import-users.js'
import { peopleFormats, readPeopleFile } from '../../admin/people-files/index.js'
import { invalid } from '../../admin/refusal.js'
import { message } from '../../languages/translator.js'
import { action, page, textOf, type View } from './define.js'

/** Maximum size of a file, and of its form, in bytes: with a checked file in base64, too, and so that the page can refuse a larger one. */
const [MAX_FILE, MAX_FORM] = [1_000_000, 3_000_000]

const FORMATS: Readonly<Record<typeof peopleFormats[number], string>> = {
  csv: 'CSV', keycloak: 'Keycloak (JSON)', auth0: 'Auth0 (JSON Lines)'
}

const viewOf = ({ mail }: Config): View & { readonly data: object } => ({
  view: 'import-people',
  title: message('console.import.title'),
  data: { formats: peopleFormats, words: FORMATS, canInvite: mail !== undefined }
})

/** The form that imports users. */
export const importPeople = page('/people/import', { section: 'people', right: 'manage' }, async ({ config }) => viewOf(config))

/** Checks or imports a file, and shows the report above the form. */
export const importPeopleAction = action('import', '/people/import', {
  page: importPeople, right: 'manage', isSensitive: true, bodyLimit: MAX_FORM
}, async visit => {
  const { stores, config, by, form } = visit
  const sent = textOf(visit, 'file') || textOf(visit, 'checked')
  const [, content] = sent.split(',')
  if (content === undefined) throw invalid('file', reason('reason.choose-file'))
  const file = Buffer.from(content, 'base64')
  if (file.length > MAX_FILE) throw invalid('file', reason('reason.file-large'))
  const format = peopleFormats.find(it => it === textOf(visit, 'format')) ?? 'csv'
  const dryRun = textOf(visit, 'step') !== 'import'
  const source = { async * read () { yield file } }
  const options = {
    // The same as that of the command: a file that was imported before adds no one.
    key: await contentKey(source, [format]),
    keepIds: textOf(visit, 'keep') === 'yes',
    trustEmails: textOf(visit, 'trust') === 'yes',
    invite: textOf(visit, 'invite') === 'yes',
    dryRun
  }
  if (options.invite) assertSendsMail(config)
  const people = readPeopleFile(format, source.read())
  const report = await importFile(people, options, async people => await importUsers(stores, people, options, by))
  const isWhole = report.failed === 0 && report.unreadable === null
  const view = viewOf(config)
  return {
    ...view,
    form,
    // The browser sends it back, and the server keeps nothing: a page cannot fill in the field of a file.
    data: { ...view.data, report: { ...describeImport(report, dryRun), isWhole }, checked: dryRun ? sent : undefined }
  }
})
