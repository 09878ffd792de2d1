import type { common as english } from '../en/common.js'

/** Sentences of every page. */
export const common: Record<keyof typeof english, string> = {
  'brand-link.help': 'Hilfe',
  'brand-link.privacy': 'Datenschutz',
  'brand-link.terms': 'Nutzungsbedingungen',
  'common.error-prefix': 'Fehler: {title}',
  'common.language': 'Sprache',
  'common.skip-to-content': 'Zum Inhalt springen'
}
