import { Refusal } from '../../admin/refusal.js'
import type { Text } from '../../languages/translator.js'
import { adminErrors } from '../../oauth/admin-errors.js'
import { LastAdministratorError, RightLostError } from '../../stores/access/administrators.js'

const LAST_ADMINISTRATOR = `${adminErrors.lastAdministrator.description} ${adminErrors.lastAdministrator.advice}`

/** What is wrong, for a page. */
export function explain ({ reason, sentence }: Refusal['faults'][number]): Text {
  return reason ?? sentence
}

/** Why an action was refused. @throws the error if it was not */
export function refusalOf (error: unknown): Pick<Refusal, 'code' | 'faults'> {
  if (error instanceof Refusal) return error
  if (error instanceof RightLostError) return { code: 'forbidden', faults: [{ field: '', sentence: error.message }] }
  if (error instanceof LastAdministratorError) return { code: 'conflict', faults: [{ field: '', sentence: LAST_ADMINISTRATOR }] }
  throw error
}
