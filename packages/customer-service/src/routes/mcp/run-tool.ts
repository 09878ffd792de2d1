import { isUnavailable } from '@frontdesk/database/unavailable'
import type { FieldError } from '@frontdesk/schemas/field-error'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { customerUnknown } from '../../problems/customer.js'
import { ProblemError } from '../../problems/define.js'
import { toolCalled } from '../../telemetry/events.js'
import { explainUnknown } from '../customers/merged.js'
import { unavailableError } from '../customers/unavailable.js'
import { assertKnown, takeId } from './arguments.js'
import type { Arguments, Call, Tool } from './tool.js'

/** Longer texts, in code points, are cut: other programs can write to the database what the rules do not allow. */
const MAX_TEXT = 2_000

/** A refusal has at most this many field errors, and as many code points in a line: arguments can have 64 KiB. */
const MAX_ERRORS = 20
const MAX_LINE = 500

/**
 * Runs a tool. A refusal is a result with the sentence of the problem; the request's log line names it.
 * @throws what is no refusal but a failure of this service
 */
export async function runTool (tool: Tool, args: Arguments, call: Call): Promise<CallToolResult> {
  try {
    assertKnown(args, tool.input)
    const text = JSON.stringify(await tool.run(args, call), (_name, value) => cut(value, MAX_TEXT))
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

/** Cuts a text, but no surrogate pair, after this many code points. */
function cut (value: unknown, max: number): unknown {
  if (typeof value !== 'string' || value.length <= max) return value
  const points = [...value.slice(0, 2 * max + 1)]
  return points.length > max ? `${points.slice(0, max).join('')}…` : value
}

/** As the REST API explains it: for a customer that was merged, the error names its successor. */
async function explain (error: unknown, args: Arguments, { stores: { history }, hrefOf }: Call): Promise<unknown> {
  if (isUnavailable(error)) return unavailableError(error)
  const isUnknown = error instanceof ProblemError && error.kind === customerUnknown.kind && args.as_of === undefined
  if (!isUnknown) return error
  return await explainUnknown(takeId(args).id, error, { history, hrefOf }).catch(unavailableError)
}

function describe ({ message, members: { errors = [] } }: ProblemError): string {
  // as: every problem with this member has field errors.
  const lines = (errors as FieldError[]).map(({ field, detail }) => `${field}: ${detail}`)
  const more = lines.length > MAX_ERRORS ? [`and ${lines.length - MAX_ERRORS} more`] : []
  return [message, ...lines.slice(0, MAX_ERRORS), ...more].map(line => cut(line, MAX_LINE)).join('\n')
}
