import type { attributes as english } from '../en/attributes.js'

/** Names of a user's attributes by their claims, and hints for their fields. */
export const attributes: Record<keyof typeof english, string> = {
  'attribute.name': 'Nombre completo',
  'attribute.given_name': 'Nombre',
  'attribute.family_name': 'Apellidos',
  'attribute.email': 'Dirección de correo',
  'attribute.email.hint': 'Una dirección nueva no está verificada.',
  'attribute.email_verified': 'Verificada',
  'attribute.locale': 'Idioma',
  'attribute.locale.hint': 'Por ejemplo, en, de o pt-BR.',
  'attribute.picture': 'Foto',
  'attribute.picture.hint': 'Una dirección que empieza por https.'
}
