import { FieldError } from '@frontdesk/schemas/field-error'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { FileDetails } from './details.js'

const LineError = Type.Object({
  line: Type.Integer({ description: 'Line number, as in an editor: line breaks in quotes count.' }),
  customerid: Type.Optional(Type.Integer()),
  customers: Type.Optional(Type.Array(Type.Integer(), {
    description: 'With the rule ambiguous: two customers that have this name. With merged: the one that this customer was merged into.'
  })),
  errors: Type.Array(FieldError, { description: '`field` is empty if the whole line is invalid.' })
})

const changed = <T extends TSchema>(value: T) => Type.Optional(Type.Object({ before: value, after: value }))

/** What an import would change of a customer. */
const Difference = Type.Object({
  line: Type.Integer(),
  customerid: Type.Integer(),
  fields: Type.Object({
    customername: changed(Type.String()), customerage: changed(Type.Integer()), customeraddress: changed(Type.String())
  })
})
export type Difference = Static<typeof Difference>

/** Outcome of an import. */
export const ImportReport = Type.Object({
  operation: Type.Optional(Type.String({
    description: 'The operation, to undo the import. Absent if it changed nothing, or no history is kept.'
  })),
  lines: Type.Integer({ description: 'Records of the file.' }),
  registered: Type.Integer({ description: 'In a dry run: those that could be registered.' }),
  updated: Type.Integer({ description: 'Customers that were changed, with `mode=update` or `upsert`.' }),
  unchanged: Type.Integer({ description: 'Customers that already had these values.' }),
  failed: Type.Integer(),
  errors: Type.Array(LineError, { description: 'Errors of the first 1,000 failed records, up to four each.' }),
  hasMoreErrors: Type.Boolean(),
  warned: Type.Optional(Type.Integer({
    description: 'In a dry run: those of `registered` that are probably typing errors: blank names, and ages below 0 or above 150.'
  })),
  warnings: Type.Optional(Type.Array(LineError, { description: 'In a dry run: the warnings of the first 1,000 records that have any.' })),
  changes: Type.Optional(Type.Array(Difference, { description: 'In a dry run: what the first 20 updates would change.' })),
  dryRun: Type.Boolean(),
  file: Type.Optional(FileDetails)
})
export type ImportReport = Static<typeof ImportReport>
