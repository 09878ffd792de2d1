import type { FileFault } from './record.js'

/** What a file is by its first bytes: how it can be read, or why not. */
type Kind = 'text' | 'gzip' | 'zip' | Refused

/** A sentence about what a file is and what to do, and the same for other languages. */
interface Refused { readonly refusal: string, readonly fault: FileFault }

/** Bytes that {@link findKind} looks at. */
export const KIND_BYTES = 512

const SAVE = 'Save the table as CSV or xlsx, and import that file.'

/** Kinds of files, by the bytes that they begin with, in hexadecimal. */
const magic: ReadonlyArray<readonly [start: RegExp, kind: Kind]> = [
  [/^1f8b/, 'gzip'],
  [/^504b(0304|0506|0708)/, 'zip'],
  [/^d0cf11e0a1b11ae1/, refuse(
    'This is a workbook of an old Excel (.xls), or one with a password. Open it in Excel, save it as .xlsx without a password, ' +
    'and import that file.', { reason: 'xls' }
  )],
  [/^255044462d/, refuse(`This is a PDF. Open the program that made it. ${SAVE}`, other('PDF'))],
  // PNG, JPEG, GIF, WebP, TIFF, BMP, and the formats of phones.
  [/^(89504e47|ffd8ff|47494638|52494646.{8}57454250|49492a00|4d4d002a|424d.{8}0{8}|.{8}66747970)/, refuse(
    `This is an image or a video. Open the program that has the table. ${SAVE}`, { reason: 'image' }
  )],
  // 7z, RAR, xz, bzip2 and Zstandard.
  [/^(377abcaf271c|526172211a07|fd377a585a|425a68|28b52ffd)/, refuse(
    'This is an archive. Unpack it, and import the CSV or xlsx file that is in it.', { reason: 'archive' }
  )],
  [/^53514c69746520666f726d6174/, refuse(`This is a database. Open the program that uses it. ${SAVE}`, other('SQLite'))],
  [/^7b5c727466/, refuse(`This is a text document (RTF). Open it in Word. ${SAVE}`, other('RTF'))]
]

/** Kinds of texts, by what they begin with after blanks. */
const texts: typeof magic = [
  [/^(<!doctype html|<html|<head|<body|<table|<meta|<div|<style)/i, refuse(
    'This is a web page (HTML), even if its name ends in .xls. Open it in Excel, save it as .xlsx, and import that file.', other('HTML')
  )],
  [/^<\?xml/i, refuse(`This is an XML file. Open it in the program that made it, or in Excel. ${SAVE}`, other('XML'))],
  [/^BEGIN:VCARD/i, refuse(
    'This is a vCard file (.vcf). In your address book, export the contacts as CSV, and import that file.', other('vCard')
  )],
  [/^BEGIN:VCALENDAR/i, refuse('This is a calendar (.ics), which has no customers.', other('iCalendar'))]
]

/** Finds out what a file is. @param head its first {@link KIND_BYTES} bytes */
export function findKind (head: Buffer): Kind {
  const bytes = head.toString('hex', 0, KIND_BYTES)
  // Of UTF-16, too.
  const text = head.toString('latin1', 0, KIND_BYTES).replaceAll('\0', '').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '')
  return magic.find(([it]) => it.test(bytes))?.[1] ?? texts.find(([it]) => it.test(text))?.[1] ?? 'text'
}

/** Whether a text begins like JSON. @param head its first bytes */
export function isJson (head: Buffer): boolean {
  return /^(\xef\xbb\xbf)?\s*(\{\s*"|\[\s*[{[\]])/.test(head.toString('latin1', 0, KIND_BYTES))
}

/** The fault of a file that another program can save as a table. @param format a name that is the same in all languages */
export function other (format: string): FileFault {
  return { reason: 'kind', format }
}

function refuse (refusal: string, fault: FileFault): Refused {
  return { refusal, fault }
}
