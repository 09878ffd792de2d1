import { Problem, PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import { Type } from '@sinclair/typebox'

/** An answer without body, for the description of a route. */
export const empty = (description: string) => Type.Null({ description })

/** The refusals of a route, for its description. */
export function problems (...statuses: number[]) {
  return Object.fromEntries(statuses.map(status => [status, {
    description: titles[status],
    content: { [PROBLEM_MEDIA_TYPE]: { schema: Problem } }
  }]))
}

/** Refusals that any route below `/rest/qa/customer` can answer with. */
export const always = [401, 403, 413, 500, 503]

const titles: Record<number, string> = {
  400: 'The form or the request is not valid.',
  401: 'An access token is needed, or the one sent is not valid.',
  403: 'The access token lacks the scope.',
  404: 'There is no such customer.',
  405: 'This method is not for this path.',
  406: 'There is no such representation.',
  409: 'Nothing was changed, because of what is registered already.',
  412: 'The customer has changed.',
  413: 'The body is too large.',
  415: 'The body is not a form.',
  500: 'Something went wrong here.',
  503: 'The database or the authorization server does not answer. Try again after Retry-After.'
}
