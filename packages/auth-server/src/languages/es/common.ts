import type { common as english } from '../en/common.js'

/** Sentences of every page. */
export const common: Record<keyof typeof english, string> = {
  'brand-link.help': 'Ayuda',
  'brand-link.privacy': 'Privacidad',
  'brand-link.terms': 'Condiciones',
  'common.error-prefix': 'Error: {title}',
  'common.language': 'Idioma',
  'common.skip-to-content': 'Ir al contenido'
}
