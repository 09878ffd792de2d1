import type { notMe as english } from '../en/not-me.js'

/** Sentences of the page that denies a change. */
export const notMe: Record<keyof typeof english, string> = {
  'not-me.address-lost': 'Ihr Konto hat jetzt eine andere E-Mail-Adresse. Deshalb können wir Ihnen keinen Link senden, mit dem Sie ein neues Passwort festlegen können. <strong>Wenden Sie sich an Ihren Administrator</strong>, um wieder Zugang zu Ihrem Konto zu erhalten.',
  'not-me.button': 'Das war ich nicht',
  'not-me.done': 'Alle sind abgemeldet',
  'not-me.done-text': 'Sie wurden auf allen Geräten abgemeldet, Apps haben keinen Zugriff mehr, und Ihr altes Passwort funktioniert nicht mehr.',
  'not-me.effect-address': 'Ihr Passwort funktioniert nicht mehr. Mit der aktuellen E-Mail-Adresse des Kontos kann kein neues festgelegt werden: Wenden Sie sich an Ihren Administrator.',
  'not-me.effect-app': 'Die neue Authenticator-App wird entfernt.',
  'not-me.effect-mail': 'Ihr Passwort funktioniert nicht mehr. Wir senden Ihnen per E-Mail einen Link, mit dem Sie ein neues festlegen können.',
  'not-me.effect-passkey': 'Der Passkey wird entfernt.',
  'not-me.effect-sessions': 'Alle werden auf allen Geräten abgemeldet, und Apps verlieren den Zugriff.',
  'not-me.event': '<strong>{what}</strong>, {at}, für den Benutzernamen <strong>{username}</strong>.',
  'not-me.explain': 'Wenn Sie das nicht waren, drücken Sie auf die Schaltfläche. Dann geschieht Folgendes:',
  'not-me.mailed': '<strong>Prüfen Sie Ihre E-Mails:</strong> Wir haben Ihnen einen Link gesendet, mit dem Sie ein neues Passwort festlegen können. Er funktioniert eine Stunde lang. Prüfen Sie danach auf Ihrer Kontoseite die Passkeys und die Authenticator-App.',
  'not-me.no-mail': 'Keine E-Mail erhalten? Prüfen Sie Ihren Spam-Ordner, oder <link>fordern Sie eine neue an</link>.',
  'not-me.note': 'Wenn Sie es waren, schließen Sie diese Seite: Es ändert sich nichts.',
  'not-me.removed-app': 'Die Authenticator-App wurde entfernt.',
  'not-me.removed-passkey': 'Der Passkey wurde entfernt.',
  'not-me.title': 'Waren Sie das nicht?'
}
