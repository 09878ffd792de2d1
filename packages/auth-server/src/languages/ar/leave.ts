import type { leave as english } from '../en/leave.js'

/** Sentences of the pages that lead to an app. */
export const leave: Record<keyof typeof english, string> = {
  'leave.app': 'لم يتم التحقق من التطبيق <strong>{app}</strong>. يريد منك العودة إلى <host>{address}</host>.',
  'leave.app-signed-out': 'لم يتم التحقق من التطبيق <strong>{app}</strong>. يريد منك الانتقال إلى <host>{address}</host>.',
  'leave.back': 'العودة إلى التطبيق',
  'leave.caution': 'تابع فقط إذا كنت تعرف هذا العنوان. وإلا فأغلق هذه الصفحة: ليس للتطبيق حق الوصول.',
  'leave.caution-signed-out': 'تابع فقط إذا كنت تعرف هذا العنوان. وإلا فأغلق هذه الصفحة.'
}
