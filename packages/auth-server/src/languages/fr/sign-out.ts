import type { signOut as english } from '../en/sign-out.js'

/** Sentences of the pages that sign out. */
export const signOut: Record<keyof typeof english, string> = {
  'sign-out.again': 'Se reconnecter',
  'sign-out.apps-keep': 'Dans les applications, vos sessions peuvent rester ouvertes jusqu’à l’expiration de leur accès. Vous pouvez fermer cette page.',
  'sign-out.apps-lose': 'Toutes les applications perdent leur accès dans les dix secondes. Vous pouvez fermer cette page.',
  'sign-out.asked': '<strong>{app}</strong> vous demande de vous déconnecter.',
  'sign-out.done': 'Déconnexion effectuée',
  'sign-out.done-everywhere': 'Déconnexion effectuée partout',
  'sign-out.stay': 'Ne pas me déconnecter',
  'sign-out.title': 'Se déconnecter',
  'sign-out.who': 'Vous utilisez le compte <strong>{username}</strong>. Dans les applications, vos sessions peuvent rester ouvertes jusqu’à l’expiration de leur accès.'
}
