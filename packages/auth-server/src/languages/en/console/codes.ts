/** Sentences of the page with invitation codes, and of accepted terms. */
export const codes = {
  'console.codes.about': 'With a code, people create an account themselves.',
  'console.codes.by-shell': 'Command line',
  'console.codes.copy': 'Copy the code for <strong>{label}</strong>, or the link with it, now. It is not shown again.',
  'console.codes.create': 'Create code',
  'console.codes.create-title': 'Create a code',
  'console.codes.created-by': 'Created by',
  'console.codes.days': 'Valid for days',
  'console.codes.empty': 'No invitation codes.',
  'console.codes.expires': 'Expires',
  'console.codes.is-off': 'This server doesn\'t use codes now: set <code>SIGN_UP=code</code>.',
  'console.codes.label': 'Label',
  'console.codes.label-hint': 'Who gets it, such as Partners.',
  'console.codes.new': 'New invitation code',
  'console.codes.remove': 'Remove<unseen> {label}</unseen>',
  'console.codes.removed': 'Invitation code removed.',
  'console.codes.role-hint': 'Everyone who uses the code gets it.',
  'console.codes.title': 'Invitation codes',
  'console.codes.uses': 'Number of people',
  'console.codes.uses-left': 'Uses left',
  'console.person.terms': 'Terms of use',
  'console.person.terms-accepted': 'Version {version}, accepted {at}'
} as const
