/** An answer to a callback, as parameters. */
export type Answer = Record<string, string | number | undefined>

/** How an answer travels: in an address that the browser is sent to, or in a form that its page sends. */
export type Delivery =
  | { readonly location: string }
  | { readonly action: string, readonly fields: ReadonlyArray<readonly [name: string, value: string]> }

/** How answers of `/authorize` reach the callback: one file each, listed in index.ts. */
export interface ResponseMode {
  /** Value of `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1). */
  readonly name: string
  /** Puts the answer on its way. The callback keeps its bytes. */
  deliver (callback: string, answer: Answer): Delivery
}
