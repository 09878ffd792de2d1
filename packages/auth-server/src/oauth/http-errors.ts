import { englishOf } from './error-texts.js'
import type { PublicError } from './errors.js'

/** Errors of HTTP and of the server, by name. */
export const httpErrors = {
  pathUnknown: { statusCode: 404, title: 'error.path-unknown', advice: 'advice.path' },
  methodNotAllowed: { statusCode: 405, title: 'error.method-not-allowed', advice: 'advice.method' },
  bodyTooLarge: { statusCode: 413, title: 'error.body-too-large', advice: 'advice.body' },
  mediaTypeUnsupported: { statusCode: 415, title: 'error.media-type-unsupported', advice: 'advice.media-type' },
  internalError: { statusCode: 500, title: 'error.internal-error', advice: 'advice.retry-report' },
  unavailable: { statusCode: 503, title: 'error.unavailable', advice: 'advice.retry' },
  overloaded: { statusCode: 503, title: 'error.overloaded', advice: 'advice.overloaded' }
} as const satisfies Record<string, Pick<PublicError, 'statusCode' | 'title' | 'advice'>>

/** An error as pages and problem documents show it. */
export type ShownError = Pick<PublicError, 'statusCode' | 'description' | 'title' | 'advice' | 'kind'>

/** An error by its name. */
export function httpError (kind: keyof typeof httpErrors): ShownError {
  return { ...httpErrors[kind], description: englishOf(httpErrors[kind].title), kind }
}

/** The error for a status, or a generic one if it has none. */
export function httpErrorOf (statusCode: number): ShownError {
  // as: the keys are those of its type.
  const found = (Object.keys(httpErrors) as Array<keyof typeof httpErrors>).find(kind => httpErrors[kind].statusCode === statusCode)
  return { ...httpError(found ?? (statusCode < 500 ? 'pathUnknown' : 'internalError')), statusCode }
}
