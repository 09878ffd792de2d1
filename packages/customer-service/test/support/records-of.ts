import { fieldNames } from '../../src/customer/fields.js'
import { formats, ImportFile, type HowToRead } from '../../src/customer/import/file.js'

/** Reads the records of a file. @param type one of `formats` */
export function recordsOf (type: string, body: AsyncIterable<Buffer>, how: Partial<HowToRead> = {}) {
  // as: says the caller.
  const format = formats[type as keyof typeof formats]
  const usual = { charset: undefined, isPacked: false, mapping: {}, fields: fieldNames, sheet: undefined, acquireWorkbook: () => () => {} }
  return new ImportFile(body, { format, ...usual, ...how }).records()
}
