import { Refusal } from '../admin/refusal.js'

/** What to run next, by the code of a refusal and the field that it concerns. */
const NEXT: Readonly<Record<string, string>> = {
  'unknown role': 'To see all: frontdesk-auth role list',
  'taken role': 'To see all: frontdesk-auth role list',
  'unknown kid': 'To see all: frontdesk-auth keys list',
  'conflict access tokens': 'Make one and wait until it signs: frontdesk-auth keys rotate --signs-in 45',
  'conflict ID tokens': 'Make one and wait until it signs: frontdesk-auth keys rotate --id-tokens --signs-in 45'
}

/** What to print of a refused action: why, and what to do; `undefined` for another error. */
export function explain (error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  return error.faults.map(({ field, sentence }) => [sentence, NEXT[`${error.code} ${field}`]].filter(it => it !== undefined).join(' ')).join('\n')
}
