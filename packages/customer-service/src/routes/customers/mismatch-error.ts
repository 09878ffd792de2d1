import { customerUnknown, versionDiffers } from '../../problems/customer.js'
import type { ProblemError } from '../../problems/define.js'

/** The error of a write to one customer that was not made. */
export function mismatchError (outcome: 'unknown' | 'version differs', id: number): ProblemError {
  return outcome === 'unknown'
    ? customerUnknown(`There is no customer with the identifier ${id}.`)
    : versionDiffers('If-Match does not contain the customer\'s current ETag. Nothing was changed.')
}
