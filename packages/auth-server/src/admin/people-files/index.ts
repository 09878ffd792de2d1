import { readSlices } from '@frontdesk/service-kit/records/slices'
import { readUtf8 } from '@frontdesk/service-kit/records/utf8'
import { readAuth0 } from './auth0.js'
import { readCsv } from './csv.js'
import { readKeycloak } from './keycloak.js'
import type { FileRecord } from './record.js'

/** The formats of files with users, with the ends of their names. */
const formats = {
  csv: { read: readCsv, extensions: ['.csv'] },
  keycloak: { read: readKeycloak, extensions: ['.json'] },
  auth0: { read: readAuth0, extensions: ['.ndjson', '.jsonl'] }
} as const

export type PeopleFormat = keyof typeof formats

// as: the keys of a constant.
export const peopleFormats = Object.keys(formats) as PeopleFormat[]

/** The format of a file, by its name. */
export function formatByName (name: string): PeopleFormat | undefined {
  return peopleFormats.find(format => formats[format].extensions.some(extension => name.toLowerCase().endsWith(extension)))
}

/** Reads the users of a file in UTF-8. Holds at most one. @throws UnreadableFile */
export function readPeopleFile (format: PeopleFormat, body: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  return formats[format].read(readUtf8(readSlices(body)))
}
