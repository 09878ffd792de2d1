/** What callers with tokens of the implicit grant are told. */
export interface ImplicitDeprecation {
  deprecatedAt: Date
  endsAt: Date | undefined
  /** A page that explains what to do instead. */
  link: string | undefined
}
