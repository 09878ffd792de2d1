import type { forgotPassword as english } from '../en/forgot-password.js'

/** Sentences of the page that requests a link to set a password. */
export const forgotPassword: Record<keyof typeof english, string> = {
  'forgot-password.button': 'Envoyer l’e-mail',
  'forgot-password.explain': 'Nous vous enverrons par e-mail un lien pour choisir un nouveau mot de passe.',
  'forgot-password.not-sent': '<strong>Nous n’avons pas envoyé d’e-mail.</strong> {reason}',
  'forgot-password.throttled': 'Trop de demandes. Réessayez dans {minutes, plural, one {# minute} many {# de minutes} other {# minutes}}.'
}
