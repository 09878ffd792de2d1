import { isBuiltIn, type BuiltInRole } from '../../oauth/admin-scopes.js'
import type { Role } from '../../stores/access/roles.js'

/** What built-in roles can do. */
const BUILT_IN: Readonly<Record<BuiltInRole, string>> = {
  administrator: 'Can do everything',
  auditor: 'Can see everything, but change nothing',
  support: 'Can see everything, invite people, email password links, unlock accounts, and end sessions and access'
}

/** What a role is for, in words. */
export function aboutRole ({ name, scopes }: Role): string {
  return isBuiltIn(name) ? BUILT_IN[name] : scopes.join(' ')
}

/** The query of an address, without missing values. */
export function queryWith (values: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value = ''] of Object.entries(values)) if (value !== '') given.set(name, value)
  return `?${given}`
}
