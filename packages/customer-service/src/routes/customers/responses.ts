import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Problem, PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import { Type } from '@sinclair/typebox'
import {
  keysUnavailable, proofInvalid, proofNonceMissing, rateLimitExceeded, revocationsUnavailable, scopeMissing, signInInsufficient, tokenBound,
  tokenInvalid, tokenMissing, userMissing
} from '../../problems/access.js'
import {
  conditionMissing, customerUnknown, formInvalid, formMalformed, jsonInvalid, jsonMalformed, versionDiffers
} from '../../problems/customer.js'
import type { Maker } from '../../problems/define.js'
import { bodyTooLarge, mediaTypeUnsupported, requestMalformed } from '../../problems/request.js'
import { databaseUnavailable, internalError, serviceOverloaded } from '../../problems/service.js'
import type { Tail } from '../../stores/changes/tail.js'
import type { Stores } from '../../stores/open.js'

/** Schema of a response without a body. */
export const empty = (description: string) => Type.Null({ description })

/** For browsers. */
const asPage = { 'text/html': { schema: Type.String() } }

/** Schemas of a route's error responses: one for each status, with its kinds of problem. */
export function problems (...makers: Maker[]) {
  const kinds = makers.map(({ kind }) => kind)
  return Object.fromEntries(kinds.map(({ status }) => {
    const those = kinds.filter(kind => kind.status === status)
    return [status, {
      description: those.map(({ title }) => `${title}.`).join(' Or: '),
      content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem }, ...asPage },
      kinds: those
    }]
  }))
}

/** Errors of every operation on customers. */
export const always = [
  tokenMissing, tokenInvalid, tokenBound, proofInvalid, proofNonceMissing, scopeMissing, rateLimitExceeded, bodyTooLarge, internalError,
  serviceOverloaded, databaseUnavailable, keysUnavailable, revocationsUnavailable
]

/** Errors of an operation that can require a second factor or a recent sign-in. */
export const ofStepUp = [signInInsufficient, userMissing]

/** Errors of a form. */
export const ofForm = [formMalformed, formInvalid, mediaTypeUnsupported]

/** Errors of a JSON object. */
export const ofJson = [jsonMalformed, jsonInvalid]

/** Errors of a write to an existing customer. */
export const ofWrite = [requestMalformed, customerUnknown, versionDiffers, conditionMissing]

/** An operation on customers; its types come from its schema. */
export type Operation = FastifyPluginAsyncTypebox<OperationOptions>

/** What the operations use of the stores. */
type Used =
  | 'bulk' | 'customers' | 'duplicates' | 'feed' | 'history' | 'idempotency' | 'imports' | 'listRemoved' | 'operations' | 'search' | 'undo'

interface OperationOptions extends Pick<Stores, Used> {
  /** The change feed, for readers that wait. */
  tail: Tail
  /** URL of the customers. */
  home: string
  /** URL of a customer. */
  hrefOf: (id: number) => string
  /** Whether a write to a customer needs If-Match. */
  requireIfMatch: boolean
}
