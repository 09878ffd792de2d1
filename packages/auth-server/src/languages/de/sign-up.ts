import type { signUp as english } from '../en/sign-up.js'

/** Sentences of the pages that create an account. */
export const signUp: Record<keyof typeof english, string> = {
  'create-account.accept-terms': 'Um ein Konto zu erstellen, müssen Sie den Nutzungsbedingungen zustimmen.',
  'create-account.address': 'Ihre E-Mail-Adresse ist <strong>{address}</strong>.',
  'create-account.foreign-name': 'Der Benutzername darf keine andere E-Mail-Adresse sein.',
  'create-account.invisible-character': 'Der Benutzername enthält ein unsichtbares Zeichen.',
  'create-account.mixed-scripts': 'Der Benutzername darf nur Buchstaben einer gebräuchlichen Schrift enthalten, etwa der lateinischen oder der kyrillischen.',
  'create-account.name': 'Name (optional)',
  'create-account.not-created': '<strong>Ihr Konto wurde nicht erstellt.</strong>',
  'create-account.password-hint': 'Mindestens {count, plural, one {# Zeichen} other {# Zeichen}}.',
  'create-account.read-terms': 'Nutzungsbedingungen lesen',
  'create-account.reserved-name': 'Dieser Benutzername ist reserviert. Wählen Sie einen anderen.',
  'create-account.submit': 'Konto erstellen',
  'create-account.taken-name': 'Dieser Benutzername ist bereits vergeben. Wählen Sie einen anderen.',
  'create-account.terms': 'Ich stimme den Nutzungsbedingungen zu',
  'create-account.title': 'Ihr Konto erstellen',
  'create-account.used-code': 'Ihr Einladungscode ist abgelaufen oder aufgebraucht. Bitten Sie um einen neuen, und beginnen Sie dann von vorn.',
  'create-account.username': 'Benutzername',
  'create-account.username-hint': 'Sie können sich damit oder mit Ihrer E-Mail-Adresse anmelden. Apps, die Sie verwenden, können ihn sehen.',
  'sign-up.code': 'Einladungscode',
  'sign-up.email': 'E-Mail-Adresse',
  'sign-up.has-account': 'Haben Sie schon ein Konto? <link>Anmelden</link>',
  'sign-up.intro': 'Wir senden Ihnen per E-Mail einen Link, mit dem Sie fortfahren können.',
  'sign-up.new-here': 'Neu hier? <link>Konto erstellen</link>',
  'sign-up.not-sent': '<strong>Wir haben keine E-Mail gesendet.</strong>',
  'sign-up.send': 'E-Mail senden',
  'sign-up.sent': 'Wir haben eine E-Mail an <strong>{address}</strong> gesendet. Öffnen Sie den Link darin, um fortzufahren. Er funktioniert einmal, innerhalb von {hours, plural, one {# Stunde} other {# Stunden}}.',
  'sign-up.sent-note': 'Keine E-Mail erhalten? Sehen Sie im Spam-Ordner nach. In {minutes, plural, one {# Minute} other {# Minuten}} können Sie eine neue anfordern.',
  'sign-up.sent-title': 'Prüfen Sie Ihre E-Mails',
  'sign-up.title': 'Konto erstellen',
  'sign-up.wrong-code': 'Dieser Einladungscode ist falsch, abgelaufen oder aufgebraucht.'
}
