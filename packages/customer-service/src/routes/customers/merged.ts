import { customerMerged } from '../../problems/customer.js'
import type { ProblemError } from '../../problems/define.js'
import type { Stores } from '../../stores/open.js'

interface Options extends Pick<Stores, 'history'> { readonly hrefOf: (id: number) => string }

/** Makes the error for a customer that does not exist: another one if it was merged. @param unknown the error otherwise */
export async function explainUnknown (id: number, unknown: ProblemError, { history, hrefOf }: Options): Promise<ProblemError> {
  const successor = await history.findSuccessor(id)
  if (successor === null) return unknown
  const href = hrefOf(successor)
  return customerMerged(`Customer ${id} was merged into customer ${successor}. Use that number.`, {
    members: { successor, href },
    // RFC 5829 §3.3: what replaces this resource.
    headers: { Link: `<${href}>; rel="successor-version"` }
  })
}
