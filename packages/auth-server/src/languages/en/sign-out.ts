/** Sentences of the pages that sign out. */
export const signOut = {
  'sign-out.again': 'Sign in again',
  'sign-out.apps-keep': 'You might still be signed in to apps until their access expires. You can close this page.',
  'sign-out.apps-lose': 'All apps lose access within ten seconds. You can close this page.',
  'sign-out.asked': '<strong>{app}</strong> asks you to sign out.',
  'sign-out.done': 'You\'re signed out',
  'sign-out.done-everywhere': 'You\'re signed out everywhere',
  'sign-out.stay': 'Stay signed in',
  'sign-out.title': 'Sign out',
  'sign-out.who': 'You\'re signed in as <strong>{username}</strong>. You might stay signed in to apps until their access expires.'
} as const
