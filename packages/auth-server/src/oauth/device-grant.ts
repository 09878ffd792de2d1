/** Grant type of devices (RFC 8628 §3.4, §7.2). */
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
