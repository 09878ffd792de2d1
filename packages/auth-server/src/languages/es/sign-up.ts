import type { signUp as english } from '../en/sign-up.js'

/** Sentences of the pages that create an account. */
export const signUp: Record<keyof typeof english, string> = {
  'create-account.accept-terms': 'Para crear una cuenta, acepte las condiciones de uso.',
  'create-account.address': 'Su dirección de correo electrónico es <strong>{address}</strong>.',
  'create-account.foreign-name': 'El nombre de usuario no puede ser otra dirección de correo electrónico.',
  'create-account.invisible-character': 'El nombre de usuario contiene un carácter invisible.',
  'create-account.mixed-scripts': 'El nombre de usuario solo puede tener letras de una misma escritura de uso común, como la latina o la cirílica.',
  'create-account.name': 'Nombre (opcional)',
  'create-account.not-created': '<strong>No se ha creado su cuenta.</strong>',
  'create-account.password-hint': 'Al menos {count, plural, one {# carácter} many {# de caracteres} other {# caracteres}}.',
  'create-account.read-terms': 'Leer las condiciones de uso',
  'create-account.reserved-name': 'Este nombre de usuario está reservado. Elija otro.',
  'create-account.submit': 'Crear cuenta',
  'create-account.taken-name': 'Este nombre de usuario ya está en uso. Elija otro.',
  'create-account.terms': 'Acepto las condiciones de uso',
  'create-account.title': 'Cree su cuenta',
  'create-account.used-code': 'Su código de invitación ha caducado o ya se ha agotado. Pida otro y empiece de nuevo.',
  'create-account.username': 'Nombre de usuario',
  'create-account.username-hint': 'Puede iniciar sesión con él o con su dirección de correo electrónico. Las aplicaciones que use pueden verlo.',
  'sign-up.code': 'Código de invitación',
  'sign-up.email': 'Dirección de correo electrónico',
  'sign-up.has-account': '¿Ya tiene una cuenta? <link>Iniciar sesión</link>',
  'sign-up.intro': 'Le enviaremos por correo electrónico un enlace para continuar.',
  'sign-up.new-here': '¿Es su primera vez aquí? <link>Crear una cuenta</link>',
  'sign-up.not-sent': '<strong>No hemos enviado ningún correo electrónico.</strong>',
  'sign-up.send': 'Enviar correo',
  'sign-up.sent': 'Hemos enviado un correo electrónico a <strong>{address}</strong>. Abra el enlace que contiene para continuar. Funciona una sola vez, durante {hours, plural, one {# hora} many {# de horas} other {# horas}}.',
  'sign-up.sent-note': '¿No ha recibido ningún correo? Revise la carpeta de correo no deseado. Podrá solicitar otro en {minutes, plural, one {# minuto} many {# de minutos} other {# minutos}}.',
  'sign-up.sent-title': 'Revise su correo electrónico',
  'sign-up.title': 'Crear una cuenta',
  'sign-up.wrong-code': 'Este código de invitación es incorrecto, ha caducado o ya se ha agotado.'
}
