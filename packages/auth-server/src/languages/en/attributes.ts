/** Names of a user's attributes by their claims, and hints for their fields. */
export const attributes = {
  'attribute.name': 'Name',
  'attribute.given_name': 'Given name',
  'attribute.family_name': 'Family name',
  'attribute.email': 'Email address',
  'attribute.email.hint': 'A new address is not verified.',
  'attribute.email_verified': 'Verified',
  'attribute.locale': 'Language',
  'attribute.locale.hint': 'Such as en, de or pt-BR.',
  'attribute.picture': 'Picture',
  'attribute.picture.hint': 'An address that begins with https.'
} as const
