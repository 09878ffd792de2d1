/** Why an input is refused. Without plurals and tags: see `reason`. */
export const reasons = {
  'reason.text-empty': 'The {what} is empty.',
  'reason.text-long': 'The {what} is longer than {longest} characters.',
  'reason.text-control': 'The {what} contains a control character.',
  'reason.text-space': 'The {what} begins or ends with a space.',
  'reason.noun.name': 'name',
  'reason.noun.given_name': 'given name',
  'reason.noun.family_name': 'family name',
  'reason.noun.user_name': 'user name',
  'reason.noun.label': 'label',
  'reason.email-long': 'The email address is longer than {longest} characters.',
  'reason.email-control': 'The email address contains a control character.',
  'reason.email-form': 'The email address must have one @ with something on both sides, and no spaces.',
  'reason.locale-long': 'The language is longer than {longest} characters.',
  'reason.locale-form': 'The language must be a language tag (BCP 47), such as en or pt-BR.',
  'reason.picture-long': 'The address of the picture is longer than {longest} characters.',
  'reason.picture-form': 'The picture must be an absolute https address.',
  'reason.picture-user': 'The address of the picture must not have a user name or a password.',
  'reason.password-short': 'The password is too short: at least {shortest} characters.',
  'reason.password-long': 'The password is too long: at most {longest} bytes.',
  'reason.password-name': 'The password must not be the user name, a name or the email address of the account.',
  'reason.password-known': 'This password is on lists of common passwords. Choose another one.'
} as const
