import type { notMe as english } from '../en/not-me.js'

/** Sentences of the page that denies a change. */
export const notMe: Record<keyof typeof english, string> = {
  'not-me.address-lost': 'Su cuenta tiene ahora otra dirección de correo, así que no podemos enviarle un enlace para establecer una contraseña nueva. <strong>Póngase en contacto con su administrador</strong> para recuperar el acceso a su cuenta.',
  'not-me.button': 'No fui yo',
  'not-me.done': 'Se han cerrado todas las sesiones',
  'not-me.done-text': 'Se ha cerrado su sesión en todos los dispositivos, las aplicaciones han perdido el acceso y su contraseña anterior ya no funciona.',
  'not-me.effect-address': 'Su contraseña deja de funcionar. La dirección de correo actual de la cuenta no se puede usar para establecer otra: póngase en contacto con su administrador.',
  'not-me.effect-app': 'Se elimina la nueva aplicación de autenticación.',
  'not-me.effect-mail': 'Su contraseña deja de funcionar. Le enviaremos por correo un enlace para establecer una nueva.',
  'not-me.effect-passkey': 'Se elimina la llave de acceso.',
  'not-me.effect-sessions': 'Se cierran todas las sesiones en todos los dispositivos y las aplicaciones pierden el acceso.',
  'not-me.event': '<strong>{what}</strong>, {at}, para el nombre de usuario <strong>{username}</strong>.',
  'not-me.explain': 'Si no fue usted, pulse el botón. Entonces:',
  'not-me.mailed': '<strong>Revise su correo:</strong> le hemos enviado un enlace para establecer una contraseña nueva. Funciona durante una hora. Después de establecerla, compruebe las llaves de acceso y la aplicación de autenticación en la página de su cuenta.',
  'not-me.no-mail': '¿No le ha llegado? Revise la carpeta de correo no deseado o <link>solicite otro correo</link>.',
  'not-me.note': 'Si fue usted, cierre esta página: no cambiará nada.',
  'not-me.removed-app': 'Se eliminó la aplicación de autenticación.',
  'not-me.removed-passkey': 'Se eliminó la llave de acceso.',
  'not-me.title': '¿No fue usted?'
}
