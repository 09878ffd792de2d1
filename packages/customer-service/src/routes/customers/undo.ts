import { queryOf } from '@frontdesk/service-kit/path'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DryRun, parseDryRun } from '../../customer/dry-run.js'
import { parseAppQuery } from '../../customer/undo/query.js'
import { UndoReport } from '../../customer/undo/report.js'
import { runUndo } from '../../customer/undo/run.js'
import { Slots } from '../../input/slots.js'
import { operationUndone, operationUnknown } from '../../problems/operation.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import { serviceOverloaded } from '../../problems/service.js'
import { OperationUndone } from '../../stores/operations/advance.js'
import type { Undo } from '../../stores/operations/targets.js'
import { actorOf, callerOf } from './actor.js'
import { logUndo } from './log-write.js'
import { allowIdleTime } from './idle-time.js'
import { makeRecheck } from './recheck.js'
import { type Operation, always, problems } from './responses.js'

/** Maximum concurrent undos of a process. */
const UNDOS = { total: 4, share: 1 }

const OPERATION_ID = /^[\w-]{22}$/

const Path = Type.Object({ operation: Type.String({ description: 'Its id.', examples: ['pcQZ7PElmXHyIbXrG5gSAg'] }) })

const success = { 200: { description: 'Every customer was reverted or skipped.', content: { 'application/json': { schema: UndoReport } } } }

const schema = {
  operationId: 'undoOperation',
  summary: 'Undo changes of many customers',
  description:
    'Each customer that the operation changed gets its values from before, or is skipped with a reason if it was changed later. An undo of an import removes the customers that it registered. If the request is interrupted, send it again: it continues. Requires `customer:write` and `customer:delete`.',
  tags: ['customer'],
  params: Path,
  querystring: DryRun,
  response: { ...success, ...problems(...always, queryInvalid, operationUnknown, operationUndone, mediaTypeUnsupported) }
}

const appSchema = {
  operationId: 'undoApp',
  summary: 'Undo what an app did',
  description:
    'Each customer that the app changed since a time gets its values from before, or is skipped with a reason if someone else changed it later. If the request is interrupted, send it again: requests with the same `client_id` and `since` are one undo, which also undoes what the app has done since the last one. Requires `customer:write` and `customer:delete` and, for another app than that of the access token, `customer:undo`.',
  tags: ['customer'],
  querystring: Type.Object({
    client_id: Type.Optional(Type.String({ description: 'The app. Default: that of the access token.' })),
    since: Type.String({ format: 'date-time', description: 'When it began (RFC 3339), by the time of the history.' }),
    ...DryRun.properties
  }),
  response: { ...success, ...problems(...always, queryInvalid, operationUndone, mediaTypeUnsupported) }
}

/** `POST …/operations/{operation}/undo` undoes an operation, and `POST …/undo` what an app did since a time. */
const undoChanges: Operation = async function undoChanges (fastify, { undo }) {
  const slots = new Slots(UNDOS)
  const config = { scope: 'customer:write customer:delete' } as const

  const path = '/rest/qa/customer/operations/:operation/undo'
  fastify.post<{ Params: Static<typeof Path> }>(path, { schema, config }, async (request, reply) => {
    const { operation } = request.params
    const dryRun = parseDryRun(queryOf(request.url))
    const find = async () => {
      const isId = OPERATION_ID.test(operation)
      const found = !isId ? null : dryRun ? await undo.find(operation) : await undo.begin(operation, actorOf(request))
      if (found === null) throw operationUnknown('There is no such operation, or the history does not go back so far.')
      return found
    }
    return await answer(reply, await run(request, find, dryRun))
  })

  fastify.post('/rest/qa/customer/undo', { schema: appSchema, config }, async (request, reply) => {
    const own = request.accessToken?.client_id
    const { dryRun, ...app } = parseAppQuery(queryOf(request.url), own, undo.period())
    if (app.clientId !== own) request.requireScope('customer:undo')
    const find = async () => dryRun ? await undo.findOfApp(app) : await undo.beginOfApp(app, actorOf(request))
    return await answer(reply, await run(request, find, dryRun))
  })

  async function run (request: FastifyRequest, find: () => Promise<Undo>, dryRun: boolean): Promise<UndoReport> {
    const recheckToken = makeRecheck(() => request.recheckToken())
    const recheck = async () => {
      if (fastify.stopping.aborted) throw serviceOverloaded('This process is stopping. Send the request again: the undo continues.')
      await recheckToken()
    }
    const leave = slots.acquire(callerOf(request))
    if (leave === null) throw serviceOverloaded('Too many undos are running, in total or for you. Try again in a moment.')
    try {
      const report = await allowIdleTime(request, fastify.server.timeout, async () =>
        await runUndo(undo, await find(), { actor: actorOf(request), dryRun, recheck }))
      logUndo(request, report)
      return report
    } catch (error) {
      if (!(error instanceof OperationUndone)) throw error
      throw operationUndone('This undo was itself undone. Nothing more is changed.', { cause: error })
    } finally {
      leave()
    }
  }
}

export default undoChanges

async function answer (reply: FastifyReply, report: UndoReport): Promise<FastifyReply> {
  return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send(report)
}
