/** Sentences of the pages that lead to an app. */
export const leave = {
  'leave.app': 'The app <strong>{app}</strong> hasn\'t been verified. It wants you to return to <host>{address}</host>.',
  'leave.app-signed-out': 'The app <strong>{app}</strong> hasn\'t been verified. It wants you to go to <host>{address}</host>.',
  'leave.back': 'Back to the app',
  'leave.caution': 'Continue only if you know this address. If not, close this page: the app has no access.',
  'leave.caution-signed-out': 'Continue only if you know this address. If not, close this page.'
} as const
