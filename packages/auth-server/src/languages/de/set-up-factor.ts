import type { setUpFactor as english } from '../en/set-up-factor.js'

/** Sentences of the page of a link that sets up two-step sign-in. */
export const setUpFactor: Record<keyof typeof english, string> = {
  'set-up-factor.explain': 'Für den Benutzernamen <strong>{username}</strong>. Ihr Administrator hat diesen Link für Sie erstellt. Ab jetzt brauchen Sie zum Anmelden zusätzlich einen Code aus einer App auf Ihrem Smartphone.',
  'set-up-factor.explain-passkey': 'Für den Benutzernamen <strong>{username}</strong>. Ihr Administrator hat diesen Link für Sie erstellt. Ab jetzt brauchen Sie zum Anmelden zusätzlich einen Passkey.',
  'set-up-factor.note': 'Der Link funktioniert nur einmal und nur mit Ihrem Passwort. Wenn Sie ihn nicht erwartet haben, sagen Sie Ihrem Administrator Bescheid.',
  'set-up-factor.title': 'Zwei-Schritt-Anmeldung einrichten'
}
