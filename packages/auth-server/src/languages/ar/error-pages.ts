import type { errorPages as english } from '../en/error-pages.js'

/** Sentences of the pages of errors. */
export const errorPages: Record<keyof typeof english, string> = {
  'error-page.account': 'الانتقال إلى حسابك',
  'error-page.account-sign-in': 'تسجيل الدخول إلى حسابك',
  'error-page.again': 'البدء من جديد',
  'error-page.requested': 'طلب <code>{uri}</code>.',
  'error-page.difference': 'الاختلاف عن العنوان المسجّل: <strong>{difference, select, slash {الشرطة المائلة في النهاية} case {حالة الأحرف} encoding {الترميز} fragment {الجزء (fragment)} query {الاستعلام} path {المسار} port {المنفذ} scheme {المخطط} other {المضيف}}</strong>.',
  'error-page.fault': 'يحتوي مستند البيانات الوصفية لهذا التطبيق على خطأ.',
  'error-page.missing': 'ينقصه: <code>{parameters}</code>.',
  'error-page.reference': 'المرجع: <code>{reference}</code>',
  'error-page.all': 'جميع الأخطاء',
  'error-page.for-developers': 'إذا كنت تطوّر التطبيق',
  'error-page.for-people': 'إذا كنت تسجّل الدخول',
  'error-page.list': 'لكل خطأ يُرجعه هذا الخادم صفحة. عنوانها هو <code>type</code> في مستند المشكلة (RFC 9457).',
  'error-page.list-title': 'الأخطاء',
  'error-page.status': 'الحالة {status}',
  'error-page.status-code': 'الحالة {status}، رمز الخطأ <code>{error}</code>'
}
