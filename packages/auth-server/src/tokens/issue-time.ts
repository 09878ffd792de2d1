import { LATEST_NOT_BEFORE } from '../lifetimes.js'

/**
 * The `iat` of an access token: now, or a few seconds later if access was revoked just before, since tokens with an `iat`
 * before `notBefore` are revoked as a group. Bounded, so that a revocation that follows covers this token, too.
 */
export function issueTime (now: Date, notBefore: Date | null): Date {
  if (notBefore === null || notBefore < now) return now
  return new Date(Math.min(notBefore.getTime(), now.getTime() + (LATEST_NOT_BEFORE - 1) * 1_000))
}

/** When an access token that is issued now expires, whatever {@link issueTime} it gets. @param ttl its lifetime, in seconds */
export function latestEnd (now: Date, ttl: number): Date {
  return new Date(now.getTime() + (LATEST_NOT_BEFORE + ttl) * 1_000)
}
