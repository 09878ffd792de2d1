import type { forgotPassword as english } from '../en/forgot-password.js'

/** Sentences of the page that requests a link to set a password. */
export const forgotPassword: Record<keyof typeof english, string> = {
  'forgot-password.button': 'E-Mail senden',
  'forgot-password.explain': 'Wir senden Ihnen per E-Mail einen Link, mit dem Sie ein neues Passwort wählen können.',
  'forgot-password.not-sent': '<strong>Wir haben keine E-Mail gesendet.</strong> {reason}',
  'forgot-password.throttled': 'Zu viele Anfragen. Versuchen Sie es in {minutes, plural, one {# Minute} other {# Minuten}} erneut.'
}
