/** Work that one replica does at a time. */
export interface Leases {
  /**
   * Takes or keeps a lease for some minutes, by the clock of the database. Atomic: exactly one concurrent caller gets
   * `true`. A holder that does not come back in time loses it.
   */
  take (name: string, holder: string): Promise<boolean>
}
