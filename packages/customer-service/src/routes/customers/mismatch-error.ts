import { customerUnknown, versionDiffers } from '../../problems/customer.js'
import type { ProblemError } from '../../problems/define.js'

/** Why a write to the customer with an identifier was not made. */
export function refuseOne (outcome: 'unknown' | 'version differs', id: number): ProblemError {
  return outcome === 'unknown'
    ? customerUnknown(`There is no customer with the identifier ${id}.`)
    : versionDiffers('If-Match holds no ETag of the customer as it is now. Nothing was changed.')
}
