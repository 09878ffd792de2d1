import type { PendingApp } from '../../factors/enrollment.js'
import { qrCode } from '../../factors/qr-code.js'
import { message } from '../../languages/translator.js'

/** What the page that sets up an authenticator app shows. @param isWrong whether the typed code was */
export async function setUpContent ({ sealed, secret, uri }: PendingApp, isWrong: boolean) {
  return { title: message('set-up-app.title'), isWrong, sealed, uri, key: secret.match(/.{1,4}/g), qrCode: await qrCode(uri) }
}
