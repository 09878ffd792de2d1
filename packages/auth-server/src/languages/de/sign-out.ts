import type { signOut as english } from '../en/sign-out.js'

/** Sentences of the pages that sign out. */
export const signOut: Record<keyof typeof english, string> = {
  'sign-out.again': 'Erneut anmelden',
  'sign-out.apps-keep': 'In Apps sind Sie möglicherweise noch angemeldet, bis deren Zugriff abläuft. Sie können diese Seite schließen.',
  'sign-out.apps-lose': 'Alle Apps verlieren innerhalb von zehn Sekunden den Zugriff. Sie können diese Seite schließen.',
  'sign-out.asked': '<strong>{app}</strong> bittet Sie, sich abzumelden.',
  'sign-out.done': 'Sie sind abgemeldet',
  'sign-out.done-everywhere': 'Sie sind überall abgemeldet',
  'sign-out.stay': 'Angemeldet bleiben',
  'sign-out.title': 'Abmelden',
  'sign-out.who': 'Sie sind als <strong>{username}</strong> angemeldet. In Apps bleiben Sie möglicherweise angemeldet, bis deren Zugriff abläuft.'
}
