import { Refusal } from '../../admin/refusal.js'
import { faultOf } from '../../input/fault.js'
import { reason } from '../../languages/reason.js'
import type { Text } from '../../languages/translator.js'
import { LastAdministratorError, RightLostError } from '../../stores/access/administrators.js'

/** What is wrong, for a page. */
export function explain ({ reason, sentence }: Refusal['faults'][number]): Text {
  return reason ?? sentence
}

/** Why an action was refused. @throws the error if it was not */
export function refusalOf (error: unknown): Pick<Refusal, 'code' | 'faults'> {
  if (error instanceof Refusal) return error
  if (error instanceof RightLostError) return { code: 'forbidden', faults: [faultOf('', reason('reason.right-lost'))] }
  if (error instanceof LastAdministratorError) return { code: 'conflict', faults: [faultOf('', reason('reason.last-administrator'))] }
  throw error
}
