/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60_000

/** Bounds of the lifetime of access tokens, in seconds: the server's and a client's own. */
export const TOKEN_TTL = { minimum: 30, maximum: 86_400 } as const

/** Bounds of the lifetimes of refresh tokens, in seconds. */
export const REFRESH_TTL = { minimum: 60, maximum: 31_536_000 } as const

/** How long a user stays signed in, in seconds. */
export const SESSION_TTL = 8 * 60 * 60

/** How long a browser is trusted, in seconds. */
export const TRUSTED_BROWSER_TTL = 30 * 24 * 60 * 60

/** How long a browser is known in which a user has signed in, in seconds: as long as browsers keep cookies (RFC 6265bis §5.5). */
export const KNOWN_BROWSER_TTL = 400 * 24 * 60 * 60

/** How long a session of the console lasts after the sign-in, and how long without a request, in seconds. */
export const CONSOLE_SESSION_TTL = 12 * 60 * 60
export const CONSOLE_IDLE_TTL = 30 * 60

/** Maximum age of the sign-in for a sensitive action, in seconds. */
export const SENSITIVE_MAX_AGE = 10 * 60

/** How long a flash message is kept for the next page, in seconds. */
export const FLASH_TTL = 60

/** How long a consent page can be used, in seconds; its grant is kept at least as long. */
export const FORM_TOKEN_TTL = 30 * 60

/** How long a sign-in with the upstream provider can take, in seconds. */
export const UPSTREAM_TTL = 10 * 60

/** How long a pushed request can be opened, in seconds (RFC 9126 §2.2). Its open page can be used as long as any other. */
export const PUSHED_REQUEST_TTL = 5 * 60

/** Lifetime of a password link from an operator, in seconds. */
export const PASSWORD_LINK_TTL = 24 * 60 * 60

/** Lifetime of a link from `/forgot-password`, in seconds. It is short because anyone can request one. */
export const FORGOTTEN_LINK_TTL = 60 * 60

/** How long a browser keeps the language that was chosen in it, in seconds. */
export const LANGUAGE_TTL = 365 * 24 * 60 * 60

/** Lifetime of a link that verifies an email address, in seconds. */
export const EMAIL_LINK_TTL = 24 * 60 * 60

/** Lifetime of a link with which someone creates an account, in seconds. */
export const SIGN_UP_LINK_TTL = 24 * 60 * 60

/** Lifetime of a link with which a user denies a change of their account, in seconds. */
export const NOT_ME_LINK_TTL = 7 * 24 * 60 * 60

/** Lifetime of a link with which a user sets up a first factor, in seconds. */
export const FACTOR_LINK_TTL = 24 * 60 * 60

/** How long a code works that was emailed to permit setting up a factor, in seconds. */
export const MAILED_CODE_TTL = 10 * 60

/** How long a code can be exchanged, in seconds (RFC 6749 §4.1.2 recommends at most ten minutes). */
export const CODE_TTL = 60

/**
 * How long a revocation is kept after its last token has expired, in seconds: resource servers accept a token for a minute longer,
 * and clocks differ.
 */
export const REVOCATION_MARGIN = 10 * 60

/** How far ahead access can be revoked, in seconds: less than the clock leeway of resource servers. */
export const LATEST_NOT_BEFORE = 20

/** Lifetime of a device code, in seconds (RFC 8628 §3.2). */
export const DEVICE_CODE_TTL = 10 * 60

/** How often a device can poll, in seconds; each early poll adds as much (RFC 8628 §3.5). */
export const POLL_INTERVAL = 5

/** The time that is this many seconds later. */
export function after (time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000)
}

/** Seconds since 1970, as JWTs have them (RFC 7519 §2). */
export function numericDate (time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
