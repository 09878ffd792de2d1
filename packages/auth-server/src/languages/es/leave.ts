import type { leave as english } from '../en/leave.js'

/** Sentences of the pages that lead to an app. */
export const leave: Record<keyof typeof english, string> = {
  'leave.app': 'La aplicación <strong>{app}</strong> no se ha verificado. Quiere que usted vuelva a <host>{address}</host>.',
  'leave.app-signed-out': 'La aplicación <strong>{app}</strong> no se ha verificado. Quiere llevarle a <host>{address}</host>.',
  'leave.back': 'Volver a la aplicación',
  'leave.caution': 'Continúe solo si conoce esta dirección. Si no, cierre esta página: la aplicación no tiene acceso.',
  'leave.caution-signed-out': 'Continúe solo si conoce esta dirección. Si no, cierre esta página.'
}
