import { isKnownCharset } from '@frontdesk/service-kit/records/charset'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { fieldNames } from '../../customer/fields.js'
import { formats, ImportFile, type HowToRead } from '../../customer/import/file.js'
import { checkMap, parseMap } from '../../customer/import/mapping.js'
import { parametersError } from '../../customer/query.js'
import { atMinimumRate } from '../../input/import/minimum-rate.js'
import { untilStopped } from '../../input/import/until-stopped.js'
import { parseMediaType } from '../../input/media-type.js'
import type { Slots } from '../../input/slots.js'
import { mediaTypeUnsupported } from '../../problems/request.js'
import { callerOf } from './actor.js'
import type { Recheck } from './recheck.js'

/** Parameters of every operation that reads a file. */
export const fileQuery = {
  sheet: Type.Optional(Type.String({ description: 'Name of a sheet of a workbook. Default: the first visible one.' })),
  map: Type.Optional(Type.Array(Type.String(), {
    description: 'Where a field of a table comes from: `customername:Full name` names the column, and `customername:#2` its position. Repeat it to join columns, and end with `customerage:=0` to set a value, or `customerid:auto` to number customers, where they are empty.'
  }))
}

/** The checks of {@link fileQuery}: of parameters that occur once, and of those that may be repeated. */
export const [fileChecks, fileListChecks] = [{ sheet: () => undefined }, { map: checkMap }]

/** The checked parameters. `fields`: those that the file must have; by default, all. */
interface Query { readonly map?: readonly string[], readonly sheet?: string, readonly fields?: HowToRead['fields'] }

/** What reading a file needs. `workbooks`: the slots of the process. */
interface Reading { readonly recheck: Recheck, readonly uploadsEnd: AbortSignal, readonly workbooks: Slots }

/**
 * The file that a request sends, while its caller has access and the process does not stop.
 * @throws ProblemError `media-type-unsupported` if its charset is unknown; `query-invalid` if a parameter is not for its format
 */
export function sentFile (request: FastifyRequest, query: Query, { recheck, uploadsEnd, workbooks }: Reading): ImportFile {
  const { map = [], sheet, fields = fieldNames } = query
  const { headers, body } = request
  // !: the content type was checked. as: it is one of these.
  const { name, charset } = parseMediaType(headers['content-type'] ?? '')!
  if (charset !== undefined && !isKnownCharset(charset)) {
    throw mediaTypeUnsupported('The charset in Content-Type is unknown. Send the file in utf-8, or leave charset out.')
  }
  const format = formats[name as keyof typeof formats]
  const unused = format === 'table' ? [] : (['map', 'sheet'] as const).filter(field => query[field] !== undefined)
  if (unused.length > 0) {
    throw parametersError(unused.map(field => ({ field, detail: 'Is only for tables. JSON names its fields itself: leave the parameter out.' })))
  }
  // as: this scope's parser passes the stream on. Without the option, an early end of the loop would close the connection.
  const bytes = (body as Readable).iterator({ destroyOnReturn: false })
  return new ImportFile(authorized(atMinimumRate(untilStopped(bytes, uploadsEnd)), recheck), {
    format,
    charset,
    isPacked: /gzip/i.test(headers['content-encoding'] ?? ''),
    mapping: parseMap(map),
    fields,
    sheet,
    acquireWorkbook: () => workbooks.acquire(callerOf(request))
  })
}

/** Passes on a body while the caller has access. */
async function * authorized (body: AsyncIterable<Buffer>, recheck: Recheck): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    await recheck()
    yield bytes
  }
}
