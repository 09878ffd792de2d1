import type { device as english } from '../en/device.js'

/** Sentences of the pages that connect a device. */
export const device: Record<keyof typeof english, string> = {
  'device.code': 'Código',
  'device.caution': 'Si alguien le envió un código o un enlace a esta página, ciérrela: esa persona podría estar intentando acceder a su cuenta.',
  'device.done-allowed': 'El dispositivo está conectado. Vuelva a su dispositivo; puede cerrar esta página.',
  'device.done-allowed-title': 'Acceso permitido',
  'device.done-denied': 'El dispositivo no tiene acceso. Puede cerrar esta página.',
  'device.done-denied-title': 'Acceso denegado',
  'device.done-remove': 'Para retirar el acceso más adelante, vaya a <link>su cuenta</link>.',
  'device.enter': 'Introduzca el código que muestra su dispositivo.',
  'device.title': 'Conectar un dispositivo'
}
