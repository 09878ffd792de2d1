import { command } from '@frontdesk/service-kit/cli/command'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { table } from '@frontdesk/service-kit/cli/table'
import { readFileSync } from 'node:fs'
import { loadDocumentRules } from '../../config.js'
import { shortOf } from '../../oauth/error-text.js'
import type { MemberReport } from '../../registration/examine-document.js'

/** `client document`: says what a server makes of a client ID metadata document. */
export const document = command('document <url>', {
  says: 'Check the metadata document of a client: what a server with these settings would accept, and why not. Needs no database.',
  options: { '--file <file>': 'read this file instead of the URL, before you publish it' },
  more: 'Example:\n  frontdesk-auth client document https://notes.example/client --file client.json',
  async run ({ url, file }) {
    // Loaded on demand: the rules know every grant and authentication method.
    const { checkDocument } = await import('../../admin/check-document.js')
    const { clientMetadataDocuments, ...rules } = loadDocumentRules()
    return { ...await checkDocument(url, file === undefined ? undefined : read(file), rules), isOn: clientMetadataDocuments }
  },
  text: ({ url, accepted, faults, members, cacheSeconds }) => [
    ...members.length === 0 ? [] : [table(members.map(it => [shortOf(it.member), describe(it)])), ''],
    ...faults,
    accepted ? `${url} is accepted.` : `${url} is refused.`,
    ...accepted && cacheSeconds !== null ? [`Servers cache it for ${cacheSeconds} seconds.`] : []
  ].join('\n'),
  fields: ({ isOn: _, ...report }) => report,
  note: ({ isOn }) => isOn ? undefined : 'By these settings, the server reads no documents: CLIENT_METADATA_DOCUMENTS is off.',
  exitCode: ({ accepted }) => accepted ? 0 : 1
})

const NO_EFFECT = 'Accepted, but has no effect here.'

function describe ({ member, outcome, used, omitted, fault }: MemberReport): string {
  const prefix = `${member}: `
  switch (outcome) {
    case 'accepted': return 'Accepted.'
    case 'ignored': return NO_EFFECT
    case 'changed': {
      const values = [used].flat().map(it => typeof it === 'string' ? it : JSON.stringify(it))
      const rest = omitted.length === 0 ? '' : ` Left out: ${omitted.map(shortOf).join(', ')}.`
      return `${used === '' ? NO_EFFECT : `Accepted as ${values.join(', ')}.`}${rest}`
    }
    case 'refused': return `Refused. ${fault?.startsWith(prefix) ? fault.slice(prefix.length) : fault}`
  }
}

/** @throws CommandError if it cannot be read */
function read (file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new CommandError(`The document in ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
}
