import type { leave as english } from '../en/leave.js'

/** Sentences of the pages that lead to an app. */
export const leave: Record<keyof typeof english, string> = {
  'leave.app': 'Die App <strong>{app}</strong> wurde nicht überprüft. Sie möchte, dass Sie zu <host>{address}</host> zurückkehren.',
  'leave.app-signed-out': 'Die App <strong>{app}</strong> wurde nicht überprüft. Sie möchte Sie zu <host>{address}</host> weiterleiten.',
  'leave.back': 'Zurück zur App',
  'leave.caution': 'Fahren Sie nur fort, wenn Sie diese Adresse kennen. Schließen Sie andernfalls diese Seite: Die App hat keinen Zugriff.',
  'leave.caution-signed-out': 'Fahren Sie nur fort, wenn Sie diese Adresse kennen. Schließen Sie andernfalls diese Seite.'
}
