import type { common as english } from '../en/common.js'

/** Sentences of every page. */
export const common: Record<keyof typeof english, string> = {
  'common.error-prefix': 'خطأ: {title}',
  'common.language': 'اللغة',
  'common.skip-to-content': 'الانتقال إلى المحتوى'
}
