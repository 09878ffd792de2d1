import type { setPassword as english } from '../en/set-password.js'

/** Sentences of the page that sets a password. */
export const setPassword: Record<keyof typeof english, string> = {
  'set-password.button': 'Définir le mot de passe',
  'set-password.busy': 'Ce lien est en cours d’utilisation. Réessayez dans quelques secondes.',
  'set-password.done': 'Mot de passe défini',
  'set-password.done-app': 'Continuer vers l’application',
  'set-password.done-close': 'Vous pouvez fermer cette page et revenir à votre application.',
  'set-password.done-invitation': 'Désormais, connectez-vous avec votre nom d’utilisateur <strong>{username}</strong> et ce mot de passe.',
  'set-password.done-text': 'Désormais, connectez-vous avec votre nouveau mot de passe. Vos sessions ont été fermées sur tous les appareils.',
  'set-password.for': 'Pour le nom d’utilisateur <strong>{username}</strong>. Au moins {characters, plural, one {# caractère} many {# de caractères} other {# caractères}}.',
  'set-password.for-invitation': 'Bienvenue. Votre compte est prêt. Votre nom d’utilisateur est <strong>{username}</strong>. Choisissez un mot de passe d’au moins {characters, plural, one {# caractère} many {# de caractères} other {# caractères}}.',
  'set-password.new': 'Nouveau mot de passe',
  'set-password.not-changed': '<strong>Votre mot de passe n’a pas été modifié.</strong> {reason}',
  'set-password.title': 'Définir votre mot de passe',
  'set-password.title-invitation': 'Choisir votre mot de passe'
}
