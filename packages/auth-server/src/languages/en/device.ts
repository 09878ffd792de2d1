/** Sentences of the pages that connect a device. */
export const device = {
  'device.code': 'Code',
  'device.caution': 'If someone sent you a code or a link to this page, close it: they might be trying to access your account.',
  'device.done-allowed': 'You\'re connected. Return to your device; you can close this page.',
  'device.done-allowed-title': 'Access allowed',
  'device.done-denied': 'The device has no access. You can close this page.',
  'device.done-denied-title': 'Access denied',
  'device.done-remove': 'To remove the access later, go to <link>your account</link>.',
  'device.enter': 'Enter the code that your device shows.',
  'device.title': 'Connect a device'
} as const
