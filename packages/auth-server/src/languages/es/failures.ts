import type { failures as english } from '../en/failures.js'

/** Why a sign-in, a code or an email was refused. */
export const failures: Record<keyof typeof english, string> = {
  'failure.busy': 'Hay demasiadas personas iniciando sesión. Vuelva a intentarlo en unos segundos.',
  'failure.ended': 'Su contraseña o su cuenta cambió mientras iniciaba sesión. Vuelva a iniciar sesión.',
  'failure.throttled': 'Demasiados intentos. Vuelva a intentarlo en {minutes, plural, one {# minuto} many {# de minutos} other {# minutos}}.',
  'failure.too-many-emails': 'Ya le hemos enviado varios correos. Vuelva a intentarlo en {minutes, plural, one {# minuto} many {# de minutos} other {# minutos}}.',
  'failure.wrong-code': 'Ese código no es correcto.',
  'failure.wrong-mailed-code': 'Ese código no es correcto o es demasiado antiguo.',
  'failure.wrong-factor-passkey': 'Esa llave de acceso no es suya o no se pudo verificar.',
  'failure.wrong-passkey': 'No puede iniciar sesión con esa llave de acceso. Use otra o su contraseña.',
  'failure.wrong-password': 'Usuario o contraseña incorrectos.',
  'failure.wrong-own-password': 'La contraseña no es correcta.'
}
