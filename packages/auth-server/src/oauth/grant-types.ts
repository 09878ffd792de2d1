/** Grant type of devices (RFC 8628 §3.4, §7.2). */
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** Grants that any client may register for: they give tokens only after a user allowed it on a page that names the client. */
export const USUAL_GRANTS: readonly string[] = ['authorization_code', 'refresh_token']
