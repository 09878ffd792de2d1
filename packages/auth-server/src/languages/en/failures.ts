/** Why a sign-in, a code or an email was refused. */
export const failures = {
  'failure.busy': 'Too many people are signing in. Try again in a few seconds.',
  'failure.ended': 'Your password or account changed while you were signing in. Sign in again.',
  'failure.throttled': 'Too many attempts. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
  'failure.too-many-emails': 'We\'ve already sent you several emails. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
  'failure.wrong-code': 'That code isn\'t right.',
  'failure.wrong-mailed-code': 'That code isn\'t right, or is too old.',
  'failure.wrong-factor-passkey': 'That passkey isn\'t one of yours, or it couldn\'t be verified.',
  'failure.wrong-passkey': 'You can\'t sign in with that passkey. Use another one, or your password.',
  'failure.wrong-password': 'Wrong user name or password.',
  'failure.wrong-own-password': 'Wrong password.'
} as const
