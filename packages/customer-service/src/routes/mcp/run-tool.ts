import { isUnavailable } from '@frontdesk/database/unavailable'
import type { FieldError } from '@frontdesk/schemas/field-error'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { isId } from '../../customer/id.js'
import { customerUnknown } from '../../problems/customer.js'
import { ProblemError } from '../../problems/define.js'
import { toolCalled } from '../../telemetry/events.js'
import { explainUnknown } from '../customers/merged.js'
import { unavailableError } from '../customers/unavailable.js'
import { assertKnown } from './arguments.js'
import type { Arguments, Call, Tool } from './tool.js'

/** Longer texts are cut: other programs can write to the database what the rules do not allow. */
const MAX_TEXT = 2_000

/**
 * Runs a tool. A refusal is a result with the sentence of the problem; the request's log line names it.
 * @throws what is no refusal but a failure of this service
 */
export async function runTool (tool: Tool, args: Arguments, call: Call): Promise<CallToolResult> {
  try {
    assertKnown(args, tool.input)
    const text = JSON.stringify(await tool.run(args, call), cut)
    toolCalled.publish({ tool: tool.name, outcome: 'ok' })
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
  } catch (error) {
    const known = await explain(error, args, call)
    const isRefusal = known instanceof ProblemError && known.kind.status < 500
    toolCalled.publish({ tool: tool.name, outcome: isRefusal ? 'refused' : 'failed' })
    if (!isRefusal) throw known
    call.request.failure = known
    return { content: [{ type: 'text', text: describe(known) }], isError: true }
  }
}

function cut (_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
}

/** As the REST API explains it: for a customer that was merged, the error names its successor. */
async function explain (error: unknown, { customerid, as_of: time }: Arguments, { stores: { history }, hrefOf }: Call): Promise<unknown> {
  if (isUnavailable(error)) return unavailableError(error)
  const isUnknown = error instanceof ProblemError && error.kind === customerUnknown.kind && time === undefined
  if (!isUnknown || !isId(customerid)) return error
  return await explainUnknown(customerid, error, { history, hrefOf }).catch(unavailableError)
}

function describe ({ message, members: { errors = [] } }: ProblemError): string {
  // as: every problem with this member has field errors.
  return [message, ...(errors as FieldError[]).map(({ field, detail }) => `${field}: ${detail}`)].join('\n')
}
