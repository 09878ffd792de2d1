import { formats, ImportFile, type HowToRead } from '../../src/customer/import/file.js'

/** Reads the records of a file. @param type one of `formats` */
export function recordsOf (type: string, body: AsyncIterable<Buffer>, how: Partial<HowToRead> = {}) {
  // as: says the caller.
  const format = formats[type as keyof typeof formats]
  return new ImportFile(body, { format, charset: undefined, isPacked: false, mapping: {}, ...how }).records()
}
