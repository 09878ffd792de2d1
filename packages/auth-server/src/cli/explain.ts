import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { Refusal } from '../admin/refusal.js'

/** What to run next, by the code of a refusal and the field that it concerns. */
const NEXT: Readonly<Record<string, string>> = {
  'invalid emailVerified': 'Add --email.',
  'unknown username': 'To see all: frontdesk-auth user list',
  'unknown clientId': 'To see all: frontdesk-auth client list',
  'conflict callbacks': 'Add one: --callback <uri>',
  'conflict logo': 'To approve it first: frontdesk-auth client adopt <client_id>',
  'unknown registration token': 'To see all: frontdesk-auth registration list',
  'unknown role': 'To see all: frontdesk-auth role list',
  'taken role': 'To see all: frontdesk-auth role list',
  'unknown kid': 'To see all: frontdesk-auth keys list',
  'conflict access tokens': 'Make one and wait until it signs: frontdesk-auth keys rotate --signs-in 45',
  'conflict ID tokens': 'Make one and wait until it signs: frontdesk-auth keys rotate --id-tokens --signs-in 45'
}

/** Explains a refused action, with a remedy; `undefined` for another error. */
export function explain (error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  const explained = error.faults.map(({ field, sentence }) => [sentence, nextOf(error.code, field)])
  return explained.map(sentences => sentences.filter(it => it !== undefined).join(' ')).join('\n')
}

/** The API answers 409 for both conflicts and taken names. */
function nextOf (code: Refusal['code'], field: string): string | undefined {
  return NEXT[`${code} ${field}`] ?? (code === 'conflict' ? NEXT[`taken ${field}`] : undefined)
}

/** Makes an error handler that adds what to run next. @param refusal its code and field, as in `taken username` */
export function pointTo (refusal: `${Refusal['code']} ${string}`, next: string): (error: unknown) => never {
  return error => {
    const isMeant = error instanceof Refusal && `${error.code} ${error.faults[0]?.field}` === refusal
    throw isMeant ? new CommandError(`${error.message} ${next}`, { cause: error }) : error
  }
}
