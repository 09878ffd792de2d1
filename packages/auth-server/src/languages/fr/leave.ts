import type { leave as english } from '../en/leave.js'

/** Sentences of the pages that lead to an app. */
export const leave: Record<keyof typeof english, string> = {
  'leave.app': 'L’application <strong>{app}</strong> n’a pas été vérifiée. Elle souhaite que vous reveniez à <host>{address}</host>.',
  'leave.app-signed-out': 'L’application <strong>{app}</strong> n’a pas été vérifiée. Elle souhaite vous diriger vers <host>{address}</host>.',
  'leave.back': 'Retour à l’application',
  'leave.caution': 'Continuez uniquement si vous connaissez cette adresse. Sinon, fermez cette page : l’application n’a pas accès.',
  'leave.caution-signed-out': 'Continuez uniquement si vous connaissez cette adresse. Sinon, fermez cette page.'
}
