import type { common as english } from '../en/common.js'

/** Sentences of every page. */
export const common: Record<keyof typeof english, string> = {
  'brand-link.help': 'Aide',
  'brand-link.privacy': 'Confidentialité',
  'brand-link.terms': 'Conditions d’utilisation',
  'common.error-prefix': 'Erreur : {title}',
  'common.language': 'Langue',
  'common.skip-to-content': 'Aller au contenu'
}
