import { LATEST_NOT_BEFORE } from '../lifetimes.js'

/**
 * The time at which an access token is issued (`iat`): now, or a few seconds later where access ended just before. Tokens
 * issued before `notBefore` are revoked as a group. It stays before the latest time at which access that ends now could
 * end, so that an end that follows revokes the token, too.
 */
export function issueTime (now: Date, notBefore: Date | null): Date {
  if (notBefore === null || notBefore < now) return now
  return new Date(Math.min(notBefore.getTime(), now.getTime() + (LATEST_NOT_BEFORE - 1) * 1_000))
}
