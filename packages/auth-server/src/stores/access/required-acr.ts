import { REQUIRED_ACRS } from '../../oauth/acr.js'

const rank = REQUIRED_ACRS.map((acr, index) => `WHEN '${acr}' THEN ${index}`).join(' ')
const list = REQUIRED_ACRS.map(acr => `'${acr}'`).join(', ')
const names = REQUIRED_ACRS.map((acr, index) => `WHEN ${index} THEN '${acr}'`).join(' ')

/** SQL value: the highest level that the roles of a user require; NULL: none. @param user SQL expression of the id */
export function requiredAcr (user: string): string {
  // Without such a role, no roles of the user are read.
  return `CASE WHEN EXISTS (SELECT 1 FROM role WHERE required_acr IS NOT NULL) THEN (
    SELECT CASE MAX(CASE role.required_acr ${rank} END) ${names} END
    FROM user_role JOIN role ON role.name = user_role.role WHERE user_role.user_id = ${user}) END`
}

/** SQL condition that a role of a user, or any enabled app, requires a factor. @param user SQL expression of the id */
export function isFactorRequired (user: string): string {
  // By value: SQLite does not use the index for NOT NULL.
  return `(${requiredAcr(user)} IS NOT NULL OR EXISTS (SELECT 1 FROM client WHERE required_acr IN (${list}) AND disabled_at IS NULL))`
}
