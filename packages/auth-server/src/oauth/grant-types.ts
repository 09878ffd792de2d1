/** Grant type of devices (RFC 8628 §3.4, §7.2). */
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** Grants that any client can register for: they issue tokens only after a user allowed the client on a page that shows its name. */
export const USUAL_GRANTS: readonly string[] = ['authorization_code', 'refresh_token']
