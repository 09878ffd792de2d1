/** Whether apps get the same `sub` of a person, or one for each sector (OpenID Connect Core §8). */
export type SubjectType = 'public' | 'pairwise'

/** The subject type of an app, as it is written; a pairwise one may leave out the sector. */
export interface WrittenSubject {
  readonly subjectType: SubjectType
  readonly sectorIdentifier: string | null
}

/** The sector of an app: as written or, for a pairwise one, the host of its callbacks if there is one only; `null`: none. */
export function sectorOf ({ subjectType, sectorIdentifier }: WrittenSubject, callbacks: readonly string[]): string | null {
  if (subjectType === 'public') return null
  const [host, ...others] = hostsOf(callbacks)
  return sectorIdentifier ?? (others.length === 0 ? host ?? null : null)
}

/** Why an app cannot have this subject type, in a sentence; `null` if it can. */
export function whyNotSubject (written: WrittenSubject, callbacks: readonly string[]): string | null {
  const { subjectType, sectorIdentifier: sector } = written
  if (subjectType === 'public') return sector === null ? null : 'A sector identifier needs the subject type pairwise.'
  if (sector !== null && !/^(self:)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(sector)) {
    return 'The sector identifier must be a host name in lower case, such as shop.example.'
  }
  if (sectorOf(written, callbacks) !== null) return null
  const hosts = hostsOf(callbacks)
  return `The callbacks have ${hosts.length === 0 ? 'no host' : `${hosts.length} hosts`}: a pairwise app needs a sector identifier, such as shop.example.`
}

/** The hosts of callbacks; those of private-use schemes have none. */
function hostsOf (callbacks: readonly string[]): string[] {
  return [...new Set(callbacks.map(uri => URL.canParse(uri) ? new URL(uri).hostname : ''))].filter(host => host !== '')
}
