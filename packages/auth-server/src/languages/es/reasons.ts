import type { reasons as english } from '../en/reasons.js'

/** Why an input is refused. */
export const reasons: Record<keyof typeof english, string> = {
  'reason.text-empty': '{what}: este campo está vacío.',
  'reason.text-long': '{what}: como máximo {longest} caracteres.',
  'reason.text-control': '{what}: el texto contiene un carácter de control.',
  'reason.text-space': '{what}: el texto empieza o termina con un espacio.',
  'reason.noun.name': 'Nombre completo',
  'reason.noun.given_name': 'Nombre',
  'reason.noun.family_name': 'Apellidos',
  'reason.noun.user_name': 'Nombre de usuario',
  'reason.noun.label': 'Etiqueta',
  'reason.email-long': 'La dirección de correo tiene más de {longest} caracteres.',
  'reason.email-control': 'La dirección de correo contiene un carácter de control.',
  'reason.email-form': 'La dirección de correo debe tener una sola @ con texto a ambos lados, y ningún espacio.',
  'reason.locale-long': 'El idioma tiene más de {longest} caracteres.',
  'reason.locale-form': 'El idioma debe ser una etiqueta de idioma (BCP 47), por ejemplo, en o pt-BR.',
  'reason.picture-long': 'La dirección de la foto tiene más de {longest} caracteres.',
  'reason.picture-form': 'La foto debe ser una dirección https completa.',
  'reason.picture-user': 'La dirección de la foto no debe contener un nombre de usuario ni una contraseña.',
  'reason.password-short': 'La contraseña es demasiado corta: como mínimo {shortest} caracteres.',
  'reason.password-long': 'La contraseña es demasiado larga: como máximo {longest} bytes.',
  'reason.password-name': 'La contraseña no debe ser el nombre de usuario, un nombre ni la dirección de correo de la cuenta.',
  'reason.password-known': 'Esta contraseña figura en listas de contraseñas frecuentes. Elija otra.'
}
