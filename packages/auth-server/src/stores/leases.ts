/** Work that one replica does at a time. */
export interface Leases {
  /**
   * Takes or keeps a lease in one statement; `false` if somebody else has it. Of any number of callers at once
   * exactly one gets `true`. Who does not come back loses it at `until`.
   */
  take (name: string, holder: string, now: Date, until: Date): Promise<boolean>
}
