/** Sentences of the page that requests a link to set a password. */
export const forgotPassword = {
  'forgot-password.button': 'Send email',
  'forgot-password.explain': 'We\'ll email you a link to choose a new password.',
  'forgot-password.not-sent': '<strong>We didn\'t send an email.</strong> {reason}',
  'forgot-password.throttled': 'Too many requests. Try again in {minutes, plural, one {# minute} other {# minutes}}.'
} as const
