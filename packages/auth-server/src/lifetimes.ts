/** Bounds of the lifetime of access tokens, in seconds: the server's and a client's own. */
export const TOKEN_TTL = { minimum: 30, maximum: 86_400 } as const

/** Bounds of the lifetimes of refresh tokens, in seconds. */
export const REFRESH_TTL = { minimum: 60, maximum: 31_536_000 } as const

/** How long a person stays signed in, in seconds. */
export const SESSION_TTL = 8 * 60 * 60

/** How long a message is kept for the next page, in seconds. */
export const FLASH_TTL = 60

/** How long a consent page can be used, in seconds; its grant is kept at least as long. */
export const FORM_TOKEN_TTL = 30 * 60

/** How long a pushed request can be opened, in seconds (RFC 9126 §2.2). Once its page is open, that may be used as long as any. */
export const PUSHED_REQUEST_TTL = 5 * 60

/** How long a link that an operator made can set a password, in seconds. */
export const PASSWORD_LINK_TTL = 24 * 60 * 60

/** The same for a link that anyone can have mailed who knows a user name. */
export const FORGOTTEN_LINK_TTL = 60 * 60

/** How long a code can be exchanged, in seconds (RFC 6749 §4.1.2 recommends at most ten minutes). */
export const CODE_TTL = 60

/**
 * How long a revocation is kept after the last token that it revokes has expired, in seconds: resource servers accept a
 * token for a minute after its end, and clocks differ.
 */
export const REVOCATION_MARGIN = 10 * 60

/** How far ahead of the time access can end, in seconds: less than the clock leeway of resource servers. */
export const LATEST_NOT_BEFORE = 20

/** How long a device can wait for a person, in seconds (RFC 8628 §3.2). */
export const DEVICE_CODE_TTL = 10 * 60

/** How often a device may ask, in seconds; each request that comes too early adds as much (RFC 8628 §3.5). */
export const POLL_INTERVAL = 5
