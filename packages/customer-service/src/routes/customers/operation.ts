import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Tail } from '../../stores/changes/tail.js'
import type { Stores } from '../../stores/open.js'

/** One operation on customers; its types come from its schema. */
export type Operation = FastifyPluginAsyncTypebox<OperationOptions>

/** What the operations work with. */
export interface OperationOptions extends Pick<Stores, 'customers' | 'feed' | 'history' | 'idempotency' | 'imports' | 'search'> {
  /** The change feed, for readers that wait. */
  tail: Tail
  /** URL of the register. */
  home: string
  /** URL of a customer. */
  hrefOf: (id: number) => string
  /** Whether a write to a customer needs If-Match. */
  requireIfMatch: boolean
}
