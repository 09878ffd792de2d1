import type { attributes as english } from '../en/attributes.js'

/** Names of a user's attributes by their claims, and hints for their fields. */
export const attributes: Record<keyof typeof english, string> = {
  'attribute.name': 'Name',
  'attribute.given_name': 'Vorname',
  'attribute.family_name': 'Nachname',
  'attribute.email': 'E-Mail-Adresse',
  'attribute.email.hint': 'Eine neue Adresse ist nicht bestätigt.',
  'attribute.email_verified': 'Bestätigt',
  'attribute.locale': 'Sprache',
  'attribute.locale.hint': 'Zum Beispiel en, de oder pt-BR.',
  'attribute.picture': 'Bild',
  'attribute.picture.hint': 'Eine Adresse, die mit https beginnt.'
}
