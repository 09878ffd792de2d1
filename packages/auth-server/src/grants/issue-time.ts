/**
 * The time at which an access token is issued (`iat`): now, or a few seconds later where access ended just before. Tokens
 * issued before `notBefore` are revoked as a group.
 */
export function issueTime (now: Date, notBefore: Date | null): Date {
  return notBefore === null || notBefore < now ? now : notBefore
}
