import { FieldError } from '@frontdesk/schemas/field-error'
import { Type, type Static } from '@sinclair/typebox'
import { FileDetails } from './details.js'

const LineError = Type.Object({
  line: Type.Integer({ description: 'Line number, as in an editor: line breaks in quotes count.' }),
  customerid: Type.Optional(Type.Integer()),
  errors: Type.Array(FieldError, { description: '`field` is empty if the whole line is invalid.' })
})

/** Outcome of an import. */
export const ImportReport = Type.Object({
  operation: Type.Optional(Type.String({
    description: 'The operation, to undo the import. Absent if it changed nothing, or no history is kept.'
  })),
  lines: Type.Integer({ description: 'Records of the file.' }),
  registered: Type.Integer({ description: 'In a dry run: those that could be registered.' }),
  failed: Type.Integer(),
  errors: Type.Array(LineError, { description: 'Errors of the first 1,000 failed records, up to four each.' }),
  hasMoreErrors: Type.Boolean(),
  warned: Type.Optional(Type.Integer({
    description: 'In a dry run: those of `registered` that are probably typing errors: blank names, and ages below 0 or above 150.'
  })),
  warnings: Type.Optional(Type.Array(LineError, { description: 'In a dry run: the warnings of the first 1,000 records that have any.' })),
  dryRun: Type.Boolean(),
  file: Type.Optional(FileDetails)
})
export type ImportReport = Static<typeof ImportReport>
