import type { upstream as english } from '../en/upstream.js'

/** Sentences about the upstream provider. */
export const upstream: Record<keyof typeof english, string> = {
  'upstream.account': 'Su cuenta de <strong>{provider}</strong> está vinculada: puede iniciar sesión con ella en lugar de su contraseña.',
  'upstream.changed-elsewhere': 'No se desvinculó nada: su cuenta se acaba de cambiar en otro dispositivo.',
  'upstream.connect': 'Vincular {provider}',
  'upstream.connected': 'Cuenta vinculada. Ya puede iniciar sesión con ella.',
  'upstream.connected-since': 'Vinculada desde',
  'upstream.disconnect': 'Desvincular {provider}',
  'upstream.disconnected': 'Cuenta desvinculada. Se cerró la sesión en todos los demás dispositivos y las aplicaciones perdieron el acceso.',
  'upstream.disconnecting': 'Al desvincularla, se cierra la sesión en todos los demás dispositivos y todas las aplicaciones pierden el acceso. Después, inicie sesión con su contraseña.',
  'upstream.invitation': 'Vincule su cuenta de <strong>{provider}</strong> para iniciar sesión con ella en lugar de su contraseña.',
  'upstream.last-used': 'Último uso',
  'upstream.manage': 'Administrar {provider}',
  'upstream.no-password': '¿Aún no tiene contraseña? <link>Establecer una</link>',
  'upstream.not-used': 'todavía no',
  'upstream.of-user': '{issuer}, vinculado el {since}',
  'upstream.of-user-used': '{issuer}, vinculado el {since}, último uso el {used}',
  'upstream.provider': 'Proveedor externo',
  'upstream.second-step': 'La verificación en dos pasos le seguirá pidiendo un código o una llave de acceso.',
  'upstream.sign-in': 'Iniciar sesión con {provider}',
  'upstream.taken-back': 'Se desvinculó su cuenta del otro servicio de inicio de sesión.',
  'upstream.notice-facts': 'Servicio: {provider}.',
  'notice.upstream-connected': 'Se vinculó otra cuenta',
  'notice.upstream-connected.says': 'Se vinculó una cuenta de otro servicio de inicio de sesión a su cuenta de {site}. Quien inicie sesión en ella puede iniciar sesión en la suya.',
  'notice.upstream-disconnected': 'Se desvinculó otra cuenta',
  'notice.upstream-disconnected.says': 'Se desvinculó una cuenta de otro servicio de inicio de sesión de su cuenta de {site}. Ya no puede iniciar sesión con ella.'
}
