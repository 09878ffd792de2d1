import type { common as english } from '../en/common.js'

/** Sentences of every page. */
export const common: Record<keyof typeof english, string> = {
  'brand-link.help': 'المساعدة',
  'brand-link.privacy': 'الخصوصية',
  'brand-link.terms': 'الشروط',
  'common.error-prefix': 'خطأ: {title}',
  'common.language': 'اللغة',
  'common.skip-to-content': 'الانتقال إلى المحتوى'
}
