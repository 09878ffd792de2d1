import type { Connection } from '@frontdesk/database/connection'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { existsStep, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { meets } from '@frontdesk/schemas/acr'
import { reachableAcr, requiredAcrOf, type RequiredAcr } from '../../oauth/acr.js'
import { requiredAcr } from './required-acr.js'

/** The kinds of factors that users enroll, with their tables: a row for each that a user has. Recovery codes only stand in for one. */
export const FACTOR_TABLE = { totp: 'authenticator', passkey: 'passkey' } as const

/** SQL value: the kinds of factors that a user has enrolled, space-separated; NULL: none. @param user SQL expression of the id */
export function enrolledFactors (user: string): string {
  const kinds = Object.entries(FACTOR_TABLE).map(([kind, table]) =>
    `CASE WHEN ${correlatedExists(`${table} WHERE ${table}.user_id = ${user}`)} THEN ' ${kind}' ELSE '' END`)
  return `NULLIF(TRIM(${kinds.join(' || ')}), '')`
}

/** Whether a user has enrolled a factor. A step of a transaction that has locked the user. */
export function * hasFactorStep (connection: Connection, userId: string): Steps<boolean> {
  return yield * existsStep(connection, sql`
    SELECT 1 FROM user_account WHERE id = ${userId} AND ${raw(enrolledFactors('user_account.id'))} IS NOT NULL`)
}

/** The level that the roles of a user require, but their factors do not reach; `null`: none. As {@link hasFactorStep}. */
export function * unreachedAcrStep (connection: Connection, userId: string): Steps<RequiredAcr | null> {
  const [found] = yield * queryStep(connection, { factors: 'string?', required: 'string?' }, sql`
    SELECT ${raw(enrolledFactors('user_account.id'))}, ${raw(requiredAcr('user_account.id'))} FROM user_account WHERE id = ${userId}`)
  const required = requiredAcrOf(found?.required ?? null)
  return required !== null && !meets(reachableAcr(found?.factors ?? null), required) ? required : null
}
