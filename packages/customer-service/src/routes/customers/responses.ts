import { Problem, PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import { Type } from '@sinclair/typebox'
import { keysUnavailable, revocationsUnavailable, scopeMissing, tokenInvalid, tokenMissing } from '../../problems/access.js'
import { conditionMissing, customerUnknown, formInvalid, formMalformed, jsonInvalid, jsonMalformed, versionDiffers } from '../../problems/customer.js'
import type { Maker } from '../../problems/define.js'
import { bodyTooLarge, mediaTypeUnsupported, requestMalformed } from '../../problems/request.js'
import { databaseUnavailable, internalError, serviceOverloaded } from '../../problems/service.js'

/** An answer without body, for the description of a route. */
export const empty = (description: string) => Type.Null({ description })

/** The refusals of a route, for its description: an answer for each status, with the kinds of problem that it stands for. */
export function problems (...makers: Maker[]) {
  const kinds = makers.map(({ kind }) => kind)
  return Object.fromEntries(kinds.map(({ status }) => {
    const those = kinds.filter(kind => kind.status === status)
    return [status, {
      description: those.map(({ title }) => `${title}.`).join(' Or: '),
      content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } },
      kinds: those
    }]
  }))
}

/** Refusals that any route below `/rest/qa/customer` can answer with. */
export const always = [tokenMissing, tokenInvalid, scopeMissing, bodyTooLarge, internalError, serviceOverloaded, databaseUnavailable, keysUnavailable, revocationsUnavailable]

/** Refusals of a form. */
export const ofForm = [formMalformed, formInvalid, mediaTypeUnsupported]

/** Refusals of a JSON object. */
export const ofJson = [jsonMalformed, jsonInvalid]

/** Refusals of a write to a customer who has to be there. */
export const ofWrite = [requestMalformed, customerUnknown, versionDiffers, conditionMissing]
