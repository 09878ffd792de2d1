import type { setPassword as english } from '../en/set-password.js'

/** Sentences of the page that sets a password. */
export const setPassword: Record<keyof typeof english, string> = {
  'set-password.button': 'Passwort festlegen',
  'set-password.busy': 'Dieser Link wird gerade verwendet. Versuchen Sie es in einigen Sekunden erneut.',
  'set-password.done': 'Passwort festgelegt',
  'set-password.done-app': 'Weiter zur App',
  'set-password.done-close': 'Sie können diese Seite schließen und zu Ihrer App zurückkehren.',
  'set-password.done-invitation': 'Melden Sie sich ab jetzt mit Ihrem Benutzernamen <strong>{username}</strong> und diesem Passwort an.',
  'set-password.done-text': 'Melden Sie sich ab jetzt mit Ihrem neuen Passwort an. Sie wurden auf allen Geräten abgemeldet.',
  'set-password.for': 'Für den Benutzernamen <strong>{username}</strong>. Mindestens {characters, plural, one {# Zeichen} other {# Zeichen}}.',
  'set-password.for-invitation': 'Willkommen. Ihr Konto ist bereit. Ihr Benutzername ist <strong>{username}</strong>. Wählen Sie ein Passwort mit mindestens {characters, plural, one {# Zeichen} other {# Zeichen}}.',
  'set-password.new': 'Neues Passwort',
  'set-password.not-changed': '<strong>Ihr Passwort wurde nicht geändert.</strong> {reason}',
  'set-password.title': 'Passwort festlegen',
  'set-password.title-invitation': 'Passwort wählen'
}
