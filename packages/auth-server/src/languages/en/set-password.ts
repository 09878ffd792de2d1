/** Sentences of the page that sets a password. */
export const setPassword = {
  'set-password.button': 'Set password',
  'set-password.busy': 'This link is in use right now. Try again in a few seconds.',
  'set-password.done': 'Password set',
  'set-password.done-app': 'Continue to the app',
  'set-password.done-close': 'You can close this page and go back to your app.',
  'set-password.done-invitation': 'From now on, sign in with your user name <strong>{username}</strong> and this password.',
  'set-password.done-text': 'From now on, sign in with your new password. You\'ve been signed out on all devices.',
  'set-password.for': 'For the user name <strong>{username}</strong>. At least {characters, plural, one {# character} other {# characters}}.',
  'set-password.for-invitation': 'Welcome. Your account is ready. Your user name is <strong>{username}</strong>. Choose a password of at least {characters, plural, one {# character} other {# characters}}.',
  'set-password.new': 'New password',
  'set-password.not-changed': '<strong>Your password wasn\'t changed.</strong> {reason}',
  'set-password.title': 'Set your password',
  'set-password.title-invitation': 'Choose your password'
} as const
