import { queryOf } from '@frontdesk/service-kit/path'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { oneOf, parseQuery } from '../../customer/query.js'
import { UndoReport } from '../../customer/undo/report.js'
import { runUndo } from '../../customer/undo/run.js'
import { Slots } from '../../input/slots.js'
import { operationUndone, operationUnknown } from '../../problems/operation.js'
import { mediaTypeUnsupported, queryInvalid } from '../../problems/request.js'
import { serviceOverloaded } from '../../problems/service.js'
import { OperationUndone } from '../../stores/operations/advance.js'
import { actorOf, callerOf } from './actor.js'
import { logUndo } from './log-write.js'
import { makeRecheck } from './recheck.js'
import { type Operation, always, problems } from './responses.js'

/** Maximum concurrent undos of a process. */
const UNDOS = { total: 4, share: 1 }

const OPERATION_ID = /^[\w-]{22}$/

const Path = Type.Object({ operation: Type.String({ description: 'Its id.', examples: ['pcQZ7PElmXHyIbXrG5gSAg'] }) })

const schema = {
  operationId: 'undoOperation',
  summary: 'Undo changes of many customers',
  description:
    'Each customer that the operation changed gets its values from before, or is skipped with a reason if it was changed later. An undo of an import removes the customers that it registered. If the request is interrupted, send it again: it continues. Requires `customer:write` and `customer:delete`.',
  tags: ['customer'],
  params: Path,
  querystring: Type.Object({
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Reports what would happen and changes nothing.' }))
  }),
  response: {
    200: { description: 'Every customer was reverted or skipped.', content: { 'application/json': { schema: UndoReport } } },
    ...problems(...always, queryInvalid, operationUnknown, operationUndone, mediaTypeUnsupported)
  }
}

/** `POST /rest/qa/customer/operations/{operation}/undo` undoes an operation. */
const undoOperation: Operation = async function undoOperation (fastify, { undo }) {
  const slots = new Slots(UNDOS)
  const path = '/rest/qa/customer/operations/:operation/undo'
  const config = { scope: 'customer:write customer:delete' } as const

  fastify.post<{ Params: Static<typeof Path> }>(path, { schema, config }, async (request, reply) => {
    const dryRun = parseQuery(queryOf(request.url), { dry_run: oneOf(['true', 'false']) }).dry_run === 'true'
    const report = await limited(request, () => run(request, request.params.operation, dryRun))
    logUndo(request, report)
    return await reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send(report)
  })

  async function run (request: FastifyRequest, operationId: string, dryRun: boolean): Promise<UndoReport> {
    const actor = actorOf(request)
    const isId = OPERATION_ID.test(operationId)
    const found = !isId ? null : dryRun ? await undo.find(operationId) : await undo.begin(operationId, actor)
    if (found === null) throw operationUnknown('There is no such operation, or the history does not go back so far.')
    const recheckToken = makeRecheck(() => request.recheckToken())
    const recheck = async () => {
      if (fastify.stopping.aborted) throw serviceOverloaded('This process is stopping. Send the request again: the undo continues.')
      await recheckToken()
    }
    try {
      return await runUndo(undo, found, { actor, dryRun, recheck })
    } catch (error) {
      if (!(error instanceof OperationUndone)) throw error
      throw operationUndone('This undo was itself undone while it ran. Nothing more is changed.', { cause: error })
    }
  }

  async function limited<T> (request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const leave = slots.acquire(callerOf(request))
    if (leave === null) throw serviceOverloaded('Too many undos are running, in total or for you. Try again in a moment.')
    return await work().finally(leave)
  }
}

export default undoOperation
