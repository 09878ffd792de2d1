import type { PendingApp } from '../../factors/enrollment.js'
import { qrCode } from '../../factors/qr-code.js'

/** What the page that sets up an authenticator app shows. @param isWrong whether the typed code was */
export async function setUpContent ({ sealed, secret, uri }: PendingApp, isWrong: boolean) {
  return { title: 'Set up your authenticator app', isWrong, sealed, uri, key: secret.match(/.{1,4}/g), qrCode: await qrCode(uri) }
}
