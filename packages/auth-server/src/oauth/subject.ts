import { createHmac } from 'node:crypto'
import type { Client } from './client.js'

/** Prefix of the sectors of self-registered clients. Such a sector has no clients of an operator, and is removed with its last client. */
export const OWN_SECTOR = 'self:'

/**
 * The `sub` of a user for a client: their id or, with a sector, a pseudonym that clients of other sectors cannot connect with it
 * (OpenID Connect Core §8.1).
 */
export function subjectOf ({ sectorIdentifier, pairwiseSalt }: Pick<Client, 'sectorIdentifier' | 'pairwiseSalt'>, userId: string): string {
  if (sectorIdentifier === null) return userId
  if (pairwiseSalt === null) throw new Error(`The sector ${sectorIdentifier} has no salt.`)
  return pairwiseSubject(pairwiseSalt, userId)
}

/** The pairwise `sub` of a user: 256 bits, base64url. @param salt the sector's */
export function pairwiseSubject (salt: string, userId: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url')).update(userId).digest('base64url')
}
