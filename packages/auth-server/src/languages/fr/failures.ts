import type { failures as english } from '../en/failures.js'

/** Why a sign-in, a code or an email was refused. */
export const failures: Record<keyof typeof english, string> = {
  'failure.busy': 'Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.',
  'failure.ended': 'Votre mot de passe ou votre compte a changé pendant la connexion. Connectez-vous à nouveau.',
  'failure.throttled': 'Trop de tentatives. Réessayez dans {minutes, plural, one {# minute} many {# de minutes} other {# minutes}}.',
  'failure.too-many-emails': 'Nous vous avons déjà envoyé plusieurs e-mails. Réessayez dans {minutes, plural, one {# minute} many {# de minutes} other {# minutes}}.',
  'failure.wrong-code': 'Ce code est incorrect.',
  'failure.wrong-mailed-code': 'Ce code est incorrect ou trop ancien.',
  'failure.wrong-factor-passkey': 'Cette clé d’accès n’est pas l’une des vôtres ou n’a pas pu être vérifiée.',
  'failure.wrong-passkey': 'Vous ne pouvez pas vous connecter avec cette clé d’accès. Utilisez-en une autre ou votre mot de passe.',
  'failure.wrong-password': 'Nom d’utilisateur ou mot de passe incorrect.',
  'failure.wrong-own-password': 'Mot de passe incorrect.'
}
