/** Sentences of the page that denies a change. */
export const notMe = {
  'not-me.address-lost': 'Your account has another email address now, so we can\'t email you a link to set a new password. <strong>Contact your administrator</strong> to get back into your account.',
  'not-me.button': 'This wasn\'t me',
  'not-me.done': 'Everyone is signed out',
  'not-me.done-text': 'You\'ve been signed out on all devices, apps have lost access, and your old password no longer works.',
  'not-me.effect-address': 'Your password stops working. The current email address of the account can\'t be used to set a new one: contact your administrator.',
  'not-me.effect-app': 'The new authenticator app is removed.',
  'not-me.effect-mail': 'Your password stops working. We\'ll email you a link to set a new one.',
  'not-me.effect-passkey': 'The passkey is removed.',
  'not-me.effect-sessions': 'Everyone is signed out on all devices, and apps lose access.',
  'not-me.event': '<strong>{what}</strong>, {at}, for the user name <strong>{username}</strong>.',
  'not-me.explain': 'If that wasn\'t you, press the button. Then:',
  'not-me.mailed': '<strong>Check your email:</strong> we\'ve sent you a link to set a new password. It works for one hour. After you\'ve set it, check the passkeys and the authenticator app on your account page.',
  'not-me.no-mail': 'No email? Check your spam folder, or <link>request another one</link>.',
  'not-me.note': 'If it was you, close this page: nothing changes.',
  'not-me.removed-app': 'The authenticator app was removed.',
  'not-me.removed-passkey': 'The passkey was removed.',
  'not-me.title': 'Wasn\'t this you?'
} as const
