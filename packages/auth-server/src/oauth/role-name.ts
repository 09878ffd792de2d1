/** Why a text cannot name a role, in a sentence; `null` if it can. */
export function whyNotRoleName (name: string): string | null {
  return /^[A-Za-z0-9._-]{1,100}$/.test(name) ? null : 'A role name must have 1 to 100 of these characters: A-Z a-z 0-9 . _ -'
}
