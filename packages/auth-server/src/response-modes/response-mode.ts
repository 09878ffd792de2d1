/** Parameters of a response to a callback. */
export type ResponseParameters = Record<string, string | number | undefined>

/** How a response is sent: by redirect, or in a form that a page submits. */
type Delivery =
  | { readonly location: string }
  | { readonly action: string, readonly fields: ReadonlyArray<readonly [name: string, value: string]> }

/** A response mode of `/authorize`: one file each, listed in index.ts. */
export interface ResponseMode {
  /** Value of `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices §2.1). */
  readonly name: string
  /** Builds the redirect or form. The callback itself stays unchanged. */
  deliver (callback: string, answer: ResponseParameters): Delivery
}
