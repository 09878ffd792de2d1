/** Sentences of every page. */
export const common = {
  'common.error-prefix': 'Error: {title}',
  'common.language': 'Language',
  'common.skip-to-content': 'Skip to content'
} as const
