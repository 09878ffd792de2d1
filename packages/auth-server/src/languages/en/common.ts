/** Sentences of every page. */
export const common = {
  'brand-link.help': 'Help',
  'brand-link.privacy': 'Privacy',
  'brand-link.terms': 'Terms',
  'common.error-prefix': 'Error: {title}',
  'common.language': 'Language',
  'common.skip-to-content': 'Skip to content'
} as const
