import type { setPassword as english } from '../en/set-password.js'

/** Sentences of the page that sets a password. */
export const setPassword: Record<keyof typeof english, string> = {
  'set-password.button': 'Establecer contraseña',
  'set-password.busy': 'Este enlace se está usando en este momento. Vuelva a intentarlo en unos segundos.',
  'set-password.done': 'Contraseña establecida',
  'set-password.done-app': 'Ir a la aplicación',
  'set-password.done-close': 'Puede cerrar esta página y volver a su aplicación.',
  'set-password.done-invitation': 'A partir de ahora, inicie sesión con su nombre de usuario <strong>{username}</strong> y esta contraseña.',
  'set-password.done-text': 'A partir de ahora, inicie sesión con su nueva contraseña. Se ha cerrado su sesión en todos los dispositivos.',
  'set-password.for': 'Para el nombre de usuario <strong>{username}</strong>. Al menos {characters, plural, one {# carácter} many {# de caracteres} other {# caracteres}}.',
  'set-password.for-invitation': 'Le damos la bienvenida. Su cuenta está lista. Su nombre de usuario es <strong>{username}</strong>. Elija una contraseña de al menos {characters, plural, one {# carácter} many {# de caracteres} other {# caracteres}}.',
  'set-password.new': 'Contraseña nueva',
  'set-password.not-changed': '<strong>Su contraseña no se ha cambiado.</strong> {reason}',
  'set-password.title': 'Establecer su contraseña',
  'set-password.title-invitation': 'Elegir su contraseña'
}
