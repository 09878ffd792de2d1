import type { KeyDescription } from '../keys/life-cycle.js'
import { Refusal } from './refusal.js'

/** What is printed of a key, as JSON. */
export function fieldsOf ({ kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }: KeyDescription) {
  return { kid, alg, state, createdAt, signsFrom, signsUntil, retiresAt }
}

/** There is no signing key of that id. */
export function noSuchKey (kid: string): Refusal {
  return new Refusal(`There is no signing key ${JSON.stringify(kid)}. See frontdesk-auth keys list.`)
}

/** A time for people: UTC, to the minute. */
export function minuteOf (time: Date | null): string {
  return time === null ? '–' : `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`
}
