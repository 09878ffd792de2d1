import type { forgotPassword as english } from '../en/forgot-password.js'

/** Sentences of the page that requests a link to set a password. */
export const forgotPassword: Record<keyof typeof english, string> = {
  'forgot-password.button': 'Enviar correo',
  'forgot-password.explain': 'Le enviaremos por correo un enlace para elegir una contraseña nueva.',
  'forgot-password.not-sent': '<strong>No hemos enviado ningún correo.</strong> {reason}',
  'forgot-password.throttled': 'Demasiadas solicitudes. Vuelva a intentarlo en {minutes, plural, one {# minuto} many {# de minutos} other {# minutos}}.'
}
