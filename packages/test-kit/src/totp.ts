import { TOTP } from 'otpauth'

/** The code of an authenticator app. @param secret base32, with or without spaces */
export function totpCode (secret: string, at = new Date()): string {
  return new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: at.getTime() })
}
