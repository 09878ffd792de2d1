import { Type, type Static } from '@sinclair/typebox'

const LineError = Type.Object({
  line: Type.Integer({ description: 'As an editor counts: line breaks in quotes count, too.' }),
  customerid: Type.Optional(Type.Integer()),
  errors: Type.Array(Type.Object({ field: Type.String({ description: 'Empty: the whole line.' }), detail: Type.String() }))
})

/** What became of a file. */
export const ImportReport = Type.Object({
  lines: Type.Integer({ description: 'Records of the file.' }),
  registered: Type.Integer({ description: 'In a dry run: those that could be registered.' }),
  failed: Type.Integer(),
  errors: Type.Array(LineError, { description: 'Those of the first 1,000 records that failed, up to four each.' }),
  hasMoreErrors: Type.Boolean(),
  warned: Type.Optional(Type.Integer({
    description: 'In a dry run: those of `registered` that were probably mistyped: blank names, and ages not from 0 to 150.'
  })),
  warnings: Type.Optional(Type.Array(LineError, { description: 'Those of the first 1,000 of them.' })),
  dryRun: Type.Boolean()
})
export type ImportReport = Static<typeof ImportReport>
