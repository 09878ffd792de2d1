import { Type, type Static } from '@sinclair/typebox'
import { fieldNames } from '../fields.js'

/** What was found out about a file. */
export const FileDetails = Type.Object({
  format: Type.String({ enum: ['csv', 'xlsx', 'ndjson', 'json'] }),
  charset: Type.Optional(Type.String({ description: 'Of a text, as in the Encoding standard: utf-8, windows-1252, utf-16le …' })),
  delimiter: Type.Optional(Type.String({ description: 'Of CSV.' })),
  sheet: Type.Optional(Type.String({ description: 'Of a workbook.' })),
  headingsLine: Type.Optional(Type.Integer({ description: 'Line of the headings, if lines above it were skipped.' })),
  mapping: Type.Optional(mapping('Where the values came from, as values of `map`.'))
})
export type FileDetails = Static<typeof FileDetails>

/** The beginning of a table, and how it would be imported. */
export const ImportPreview = Type.Object({
  ...FileDetails.properties,
  sheets: Type.Optional(Type.Array(Type.String(), { description: 'The visible sheets of a workbook, for `sheet`.' })),
  headings: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.String()), { description: 'The first five records.' }),
  mapping: mapping('Where the values of each field come from, as values of `map`.'),
  missing: Type.Array(Type.String({ enum: fieldNames }), {
    description: 'Fields without a source: an import is refused until `map` has one for each.'
  }),
  suggested: mapping('Sources for missing fields that are probably meant.')
})
export type ImportPreview = Static<typeof ImportPreview>

function mapping (description: string) {
  const source = Type.Optional(Type.Array(Type.String()))
  return Type.Object({ customerid: source, customername: source, customerage: source, customeraddress: source }, { description })
}
