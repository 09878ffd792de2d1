import type { signOut as english } from '../en/sign-out.js'

/** Sentences of the pages that sign out. */
export const signOut: Record<keyof typeof english, string> = {
  'sign-out.again': 'Se reconnecter',
  'sign-out.apps-keep': 'Vous êtes peut-être encore connecté à des applications jusqu’à l’expiration de leur accès. Vous pouvez fermer cette page.',
  'sign-out.apps-lose': 'Toutes les applications perdent leur accès dans les dix secondes. Vous pouvez fermer cette page.',
  'sign-out.asked': '<strong>{app}</strong> vous demande de vous déconnecter.',
  'sign-out.done': 'Vous êtes déconnecté',
  'sign-out.done-everywhere': 'Vous êtes déconnecté partout',
  'sign-out.stay': 'Rester connecté',
  'sign-out.title': 'Se déconnecter',
  'sign-out.who': 'Vous êtes connecté en tant que <strong>{username}</strong>. Vous resterez peut-être connecté à des applications jusqu’à l’expiration de leur accès.'
}
