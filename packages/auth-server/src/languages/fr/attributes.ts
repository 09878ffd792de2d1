import type { attributes as english } from '../en/attributes.js'

/** Names of a user's attributes by their claims, and hints for their fields. */
export const attributes: Record<keyof typeof english, string> = {
  'attribute.name': 'Nom complet',
  'attribute.given_name': 'Prénom',
  'attribute.family_name': 'Nom de famille',
  'attribute.email': 'Adresse e-mail',
  'attribute.email.hint': 'Une nouvelle adresse n’est pas vérifiée.',
  'attribute.email_verified': 'Vérifiée',
  'attribute.locale': 'Langue',
  'attribute.locale.hint': 'Par exemple en, de ou pt-BR.',
  'attribute.picture': 'Photo',
  'attribute.picture.hint': 'Une adresse qui commence par https.'
}
