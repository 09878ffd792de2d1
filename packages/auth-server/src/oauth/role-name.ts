/** Why a text cannot name a role, in a sentence; `null` if it can. */
export function whyNotRoleName (name: string): string | null {
  return /^[A-Za-z0-9._-]{1,100}$/.test(name) ? null : 'The name of a role must be 1 to 100 of the characters A-Z a-z 0-9 . _ -'
}
