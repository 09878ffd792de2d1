import { UnreadableFile } from '@frontdesk/service-kit/records/record'
import { queryOf } from '@frontdesk/service-kit/path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { fieldNames } from '../../customer/fields.js'
import { identifyImport } from '../../customer/idempotency.js'
import { ImportPreview } from '../../customer/import/details.js'
import { formats } from '../../customer/import/file.js'
import { AUTO, parseMap } from '../../customer/import/mapping.js'
import { ImportReport } from '../../customer/import/report.js'
import { runImport } from '../../customer/import/run.js'
import { oneOf, parametersError, parseQuery } from '../../customer/query.js'
import { drainAfter } from '../../input/drain.js'
import { readIdempotencyKey } from '../../input/idempotency-key.js'
import { Slots } from '../../input/slots.js'
import { fileTooLong, fileUnreadable } from '../../problems/import.js'
import { operationUndone } from '../../problems/operation.js'
import {
  idempotencyKeyInUse, idempotencyKeyMalformed, idempotencyKeyReused, mediaTypeUnsupported, queryInvalid, requestTimeout
} from '../../problems/request.js'
import { serviceOverloaded } from '../../problems/service.js'
import type { ImportRule } from '../../stores/imports/rule.js'
import { ImportOvertaken } from '../../stores/imports/imports.js'
import { logImport } from './log-write.js'
import { actorOf, callerOf } from './actor.js'
import { allowIdleTime } from './idle-time.js'
import { type Operation, always, problems } from './responses.js'
import { makeRecheck } from './recheck.js'
import { fileChecks, fileListChecks, fileQuery, sentFile } from './sent-file.js'

/** Maximum concurrent imports of a process, which take some megabytes each. A user has half of them, and a quarter with one client. */
const IMPORTS = { total: 8, share: 2 }
/** Maximum workbooks among them, which take up to 64 MB of memory and 100 MB of temporary files each. */
const WORKBOOKS = { total: 2, share: 1 }

const MODES = ['create', 'update', 'upsert']
const MATCHES = ['number', 'name']

const schema = {
  operationId: 'importCustomers',
  summary: 'Import customers from a file',
  description:
    'Registers the customers of a file of any length: CSV or a workbook whose first row names the columns, NDJSON, or a JSON array. The rules for adding one customer apply. By default, nothing is overwritten: a number already in use is an error on its line. The response follows the whole file. If the access token expires first, it is 401 with a report of what was registered. A client that sends less than 64 KiB a minute gets 408 with a report; one that is still sending when the service stops gets 503.',
  tags: ['customer'],
  consumes: Object.keys(formats),
  querystring: Type.Object({
    all_or_nothing: Type.Optional(Type.Boolean({
      default: false, description: 'Registers all records or, if one has an error, none. Accepts at most 2,000 records. By default, the records without errors are registered.'
    })),
    mode: Type.Optional(Type.String({
      enum: MODES, default: 'create', description: '`create` registers customers, and a number in use is an error. `update` changes customers, and an unknown one is an error. `upsert` does both.'
    })),
    match: Type.Optional(Type.String({
      enum: MATCHES, default: 'number', description: 'How `update` and `upsert` find a customer: by its number, or by its exact name, and then its number stays. `name` needs one of these modes; with `update`, the file needs no numbers.'
    })),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Validates the file and changes nothing.' })),
    ...fileQuery
  }),
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1, maxLength: 257, description: 'Makes it safe to send the file again within 24 hours: the import continues where it stopped.'
      })
    )
  }),
  response: {
    200: { description: 'The whole file was read.', content: { 'application/json': { schema: ImportReport } } },
    ...problems(
      ...always, fileUnreadable, fileTooLong, requestTimeout, queryInvalid, mediaTypeUnsupported,
      idempotencyKeyMalformed, idempotencyKeyInUse, idempotencyKeyReused, operationUndone
    )
  }
}

const previewSchema = {
  operationId: 'previewImport',
  summary: 'Read the beginning of a file',
  description:
    'Returns the headings and the first five records of a table, and where the values of each field would come from. An import with the same `map` reads the same columns. Of JSON, which needs no mapping, nothing is returned.',
  tags: ['customer'],
  consumes: Object.keys(formats),
  querystring: Type.Object(fileQuery),
  response: {
    200: { description: 'The beginning of the file.', content: { 'application/json': { schema: ImportPreview } } },
    ...problems(...always, fileUnreadable, requestTimeout, queryInvalid, mediaTypeUnsupported)
  }
}

/** `POST …/import` registers the customers of a file, and `POST …/import/preview` shows how it would be read. */
const importCustomers: Operation = async function importCustomers (fastify, { imports }) {
  const underway = new Set<string>()
  const [slots, workbooks] = [new Slots(IMPORTS), new Slots(WORKBOOKS)]
  const config = { scope: 'customer:write' } as const
  const bodyLimit = Number.MAX_SAFE_INTEGER

  fastify.post('/rest/qa/customer/import', { schema, config, bodyLimit }, async (request, reply) => {
    const key = readIdempotencyKey(request.raw)
    const hash = key === null ? null : identifyImport(key, request.accessToken)
    const { file: how, ...query } = parseImportQuery(queryOf(request.url))
    const recheck = makeRecheck(() => request.recheckToken())
    const options = { ...query, hash, recheck }
    const file = sentFile(request, how, { recheck, uploadsEnd: fastify.uploadsEnd, workbooks })
    request.allowSlowBody()
    drainAfter(reply.raw, request.raw)
    const run = () => runImport(file.records(), imports, actorOf(request), options)
    const { report, isReplay } = await limited(request, () => alone(hash, run))
    if (isReplay) reply.header('Idempotent-Replayed', 'true')
    else logImport(request, report)
    return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send({ ...report, file: file.details })
  })

  const preview = { schema: previewSchema, config, bodyLimit }
  fastify.post('/rest/qa/customer/import/preview', preview, async (request, reply) => {
    const query = parseQuery(queryOf(request.url), fileChecks, fileListChecks)
    const recheck = makeRecheck(() => request.recheckToken())
    const file = sentFile(request, query, { recheck, uploadsEnd: fastify.uploadsEnd, workbooks })
    request.allowSlowBody()
    drainAfter(reply.raw, request.raw)
    const found = await limited(request, () => file.preview()).catch(error => {
      throw error instanceof UnreadableFile ? fileUnreadable(error.message, { cause: error, members: { fault: error.fault } }) : error
    })
    return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send(found)
  })

  async function limited<T> (request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const leave = slots.acquire(callerOf(request))
    if (leave === null) {
      throw serviceOverloaded('Too many imports are running, in total or for you. Try again in a moment.')
    }
    return await allowIdleTime(request, fastify.server.timeout, work).finally(leave)
  }

  /** Rejects a second import with a key at once or, on another replica, when it would write. */
  async function alone<T> (hash: string | null, work: () => Promise<T>): Promise<T> {
    const inUse = (options?: ErrorOptions) =>
      idempotencyKeyInUse('An import with this Idempotency-Key is in progress. Try again when it is done.', options)
    if (hash === null) return await work()
    if (underway.has(hash)) throw inUse()
    underway.add(hash)
    try {
      return await work()
    } catch (error) {
      throw error instanceof ImportOvertaken ? inUse({ cause: error }) : error
    } finally {
      underway.delete(hash)
    }
  }
}

export default importCustomers

const isTrue = oneOf(['true', 'false'])
const parameters = { mode: oneOf(MODES), match: oneOf(MATCHES), all_or_nothing: isTrue, dry_run: isTrue, ...fileChecks }

/** Parses the query of an import. @param text what follows `?` @throws ProblemError `query-invalid` */
function parseImportQuery (text: string) {
  const { mode = 'create', match = 'number', all_or_nothing: allOrNothing, dry_run: dryRun, ...file } =
    parseQuery(text, parameters, fileListChecks)
  const isByName = match === 'name'
  if (isByName && mode === 'create') throw parametersError([{ field: 'match', detail: 'Must come with mode=update or mode=upsert.' }])
  if (!isByName && mode === 'update' && parseMap(file.map ?? []).customerid?.every(source => source === AUTO) === true) {
    throw parametersError([{ field: 'map', detail: 'Must name a column of customerid, or come with match=name: an update numbers no customers.' }])
  }
  const fields = isByName && mode === 'update' ? fieldNames.filter(name => name !== 'customerid') : fieldNames
  // as: checked above.
  const rule = { mode, match } as ImportRule
  return { rule, allOrNothing: allOrNothing === 'true', dryRun: dryRun === 'true', file: { ...file, fields } }
}
