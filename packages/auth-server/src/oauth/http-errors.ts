import type { PublicError } from './errors.js'

const TRY_AGAIN = 'This is a problem on our side. Try again in a moment.'

/** Errors of HTTP and of the server, by name. */
export const httpErrors = {
  pathUnknown: {
    statusCode: 404,
    description: 'This page does not exist.',
    advice: 'Check the address, or go back to the app that sent you here.'
  },
  methodNotAllowed: {
    statusCode: 405,
    description: 'This address does not support that method.',
    advice: 'The app made a mistake. The Allow header lists the methods that this address supports.'
  },
  bodyTooLarge: { statusCode: 413, description: 'The form is too large.', advice: 'Go back and enter less.' },
  mediaTypeUnsupported: {
    statusCode: 415,
    description: 'This form must be sent as application/x-www-form-urlencoded.',
    advice: 'The app made a mistake. Contact its developer.'
  },
  internalError: {
    statusCode: 500,
    description: 'Something went wrong.',
    advice: `${TRY_AGAIN} If it happens again, contact the operator of this server and quote the reference.`
  },
  unavailable: { statusCode: 503, description: 'The database is unavailable right now.', advice: TRY_AGAIN },
  overloaded: { statusCode: 503, description: 'This server is receiving too many requests right now.', advice: 'Wait a few seconds and try again.' }
} as const satisfies Record<string, Pick<PublicError, 'statusCode' | 'description' | 'advice'>>

/** The error for a status, or a generic one if it has none. */
export function httpErrorOf (statusCode: number): Pick<PublicError, 'statusCode' | 'description' | 'advice' | 'kind'> {
  const [kind, error] = Object.entries(httpErrors).find(([, error]) => error.statusCode === statusCode) ??
    (statusCode < 500 ? ['pathUnknown', httpErrors.pathUnknown] as const : ['internalError', httpErrors.internalError] as const)
  return { ...error, statusCode, kind }
}
