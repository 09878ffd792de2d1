import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { enrolledFactors } from '../access/enrolled-factors.js'
import { isFactorRequired } from '../access/required-acr.js'

const STANDING = { factors: 'string?', address: 'string?', isRequired: 'boolean' } as const

/**
 * What decides how a user can set up a factor. `factors`: kinds of the enrolled ones, space-separated; `null`: none. `address`: the
 * verified address; `null`: none. `isRequired`: whether a role of the user, or any enabled app, requires a factor.
 */
export type Standing = Row<typeof STANDING>

/** A condition that is checked while the user is locked. It can be checked again for a retry. */
export type StandingCheck = (standing: Standing) => boolean

/** The standing of a user; `null`: unknown. */
export async function findStanding (connection: Connection, userId: string): Promise<Standing | null> {
  return (await query(connection, STANDING, standingOf(userId)))[0] ?? null
}

/** The same as a step of a transaction that has locked the user. */
export function * standingStep (connection: Connection, userId: string): Steps<Standing | null> {
  return (yield * queryStep(connection, STANDING, standingOf(userId)))[0] ?? null
}

function standingOf (userId: string): Sql {
  return sql`
    SELECT ${raw(enrolledFactors('user_account.id'))}, CASE WHEN email_verified THEN email END, ${raw(isFactorRequired('user_account.id'))}
    FROM user_account WHERE id = ${userId}`
}
