/** Sentences of the page of a link that sets up two-step sign-in. */
export const setUpFactor = {
  'set-up-factor.explain': 'For the user name <strong>{username}</strong>. Your administrator created this link for you. From now on, you\'ll also need a code from an app on your phone to sign in.',
  'set-up-factor.explain-passkey': 'For the user name <strong>{username}</strong>. Your administrator created this link for you. From now on, you\'ll also need a passkey to sign in.',
  'set-up-factor.note': 'The link works once, and only with your password. If you didn\'t expect it, tell your administrator.',
  'set-up-factor.title': 'Set up two-step sign-in'
} as const
