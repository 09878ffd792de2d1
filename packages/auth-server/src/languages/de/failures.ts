import type { failures as english } from '../en/failures.js'

/** Why a sign-in, a code or an email was refused. */
export const failures: Record<keyof typeof english, string> = {
  'failure.busy': 'Zurzeit melden sich zu viele Personen an. Versuchen Sie es in einigen Sekunden erneut.',
  'failure.ended': 'Ihr Passwort oder Konto wurde während der Anmeldung geändert. Melden Sie sich noch einmal an.',
  'failure.throttled': 'Zu viele Versuche. Versuchen Sie es in {minutes, plural, one {# Minute} other {# Minuten}} erneut.',
  'failure.too-many-emails': 'Wir haben Ihnen bereits mehrere E-Mails gesendet. Versuchen Sie es in {minutes, plural, one {# Minute} other {# Minuten}} erneut.',
  'failure.wrong-code': 'Dieser Code ist nicht richtig.',
  'failure.wrong-mailed-code': 'Dieser Code ist nicht richtig oder zu alt.',
  'failure.wrong-factor-passkey': 'Dieser Passkey gehört nicht zu Ihrem Konto oder konnte nicht überprüft werden.',
  'failure.wrong-passkey': 'Mit diesem Passkey können Sie sich nicht anmelden. Verwenden Sie einen anderen oder Ihr Passwort.',
  'failure.wrong-password': 'Benutzername oder Passwort ist falsch.',
  'failure.wrong-own-password': 'Das Passwort ist falsch.'
}
