import { isReadOnly } from '@frontdesk/database/unavailable'
import { databaseUnavailable } from '../../problems/service.js'

/** Makes the error of a request that the database could not serve. */
export function unavailableError (cause: unknown) {
  const detail = isReadOnly(cause)
    ? 'The customer register can only be read at the moment. Nothing was changed.'
    : 'The customer register does not answer. Try again in a moment.'
  return databaseUnavailable(detail, { cause })
}
