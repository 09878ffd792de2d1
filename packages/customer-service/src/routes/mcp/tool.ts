import type { CustomerScope } from '@frontdesk/schemas/customer-scope'
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Stores } from '../../stores/open.js'

/** The arguments of a call, which only their schema describes: the parsers in customer/ validate. */
export type Arguments = Readonly<Record<string, unknown>>

/** What a call can use. */
export interface Call {
  request: FastifyRequest
  stores: Pick<Stores, 'customers' | 'history' | 'idempotency' | 'search'>
  /** URL of a customer. */
  hrefOf: (id: number) => string
}

/** An operation on the register that assistants can call. */
export interface Tool<Output extends TObject = TObject> {
  readonly name: string
  readonly title: string
  /** For the assistant. */
  readonly description: string
  readonly scope: CustomerScope
  readonly input: TObject
  readonly output: Output
  readonly annotations: ToolAnnotations
  /** @throws ProblemError */
  readonly run: (args: Arguments, call: Call) => Promise<Static<Output>>
}

/** Defines a tool; its result has the type of its schema. */
export function defineTool<Output extends TObject> (tool: Tool<Output>): Tool<Output> {
  return tool
}

/** Hints of a tool that changes nothing. */
export const READS = { readOnlyHint: true, openWorldHint: false } satisfies ToolAnnotations
