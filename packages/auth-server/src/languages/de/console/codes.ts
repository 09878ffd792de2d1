import type { codes as english } from '../../en/console/codes.js'

/** Sentences of the page with invitation codes, and of accepted terms. */
export const codes: Record<keyof typeof english, string> = {
  'console.codes.about': 'Mit einem Code können Personen selbst ein Konto erstellen.',
  'console.codes.by-shell': 'Kommandozeile',
  'console.codes.copy': 'Kopieren Sie jetzt den Code für <strong>{label}</strong> oder den Link, der ihn enthält. Beides wird nicht noch einmal angezeigt.',
  'console.codes.create': 'Code erstellen',
  'console.codes.create-title': 'Code erstellen',
  'console.codes.created-by': 'Erstellt von',
  'console.codes.days': 'Gültigkeit in Tagen',
  'console.codes.empty': 'Keine Einladungscodes.',
  'console.codes.expires': 'Läuft ab',
  'console.codes.is-off': 'Dieser Server verwendet derzeit keine Codes: Setzen Sie <code>SIGN_UP=code</code>.',
  'console.codes.label': 'Bezeichnung',
  'console.codes.label-hint': 'Wer ihn bekommt, zum Beispiel Partner.',
  'console.codes.new': 'Neuer Einladungscode',
  'console.codes.remove': 'Entfernen<unseen>: {label}</unseen>',
  'console.codes.removed': 'Einladungscode entfernt.',
  'console.codes.role-hint': 'Alle, die den Code verwenden, erhalten sie.',
  'console.codes.title': 'Einladungscodes',
  'console.codes.uses': 'Anzahl der Personen',
  'console.codes.uses-left': 'Noch übrig',
  'console.person.terms': 'Nutzungsbedingungen',
  'console.person.terms-accepted': 'Version {version}, akzeptiert am {at}'
}
