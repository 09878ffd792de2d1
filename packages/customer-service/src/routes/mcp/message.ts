import { parseObject } from '../../input/json.js'
import { jsonMalformed } from '../../problems/customer.js'
import { hasDuplicates } from '../../tokens/verify.js'

const utf8 = new TextDecoder()

/** Parses a JSON-RPC message: one object, as MCP has no batches since 2025-06-18. @throws ProblemError `json-malformed` */
export function readMessage (body: Uint8Array): Readonly<Record<string, unknown>> {
  const { values } = parseObject(body)
  if (hasDuplicates(utf8.decode(body))) throw jsonMalformed('An object in the JSON repeats a member. Send each member once.')
  // The protocol's library drops it.
  if (hasProto(values)) throw jsonMalformed('An object in the JSON has the member __proto__, which no message has. Leave it out.')
  return values
}

function hasProto (value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto))
}

/** The name of the tool that a message calls; `undefined` if it calls none. */
export function calledTool ({ method, params }: Readonly<Record<string, unknown>>): string | undefined {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null || !('name' in params)) return undefined
  return typeof params.name === 'string' ? params.name : undefined
}
