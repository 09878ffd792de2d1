import type { setPassword as english } from '../en/set-password.js'

/** Sentences of the page that sets a password. */
export const setPassword: Record<keyof typeof english, string> = {
  'set-password.button': 'تعيين كلمة المرور',
  'set-password.busy': 'هذا الرابط قيد الاستخدام الآن. حاول مرة أخرى بعد بضع ثوانٍ.',
  'set-password.done': 'تم تعيين كلمة المرور',
  'set-password.done-app': 'المتابعة إلى التطبيق',
  'set-password.done-close': 'يمكنك إغلاق هذه الصفحة والعودة إلى تطبيقك.',
  'set-password.done-invitation': 'من الآن فصاعدًا، سجّل الدخول باسم المستخدم <strong>{username}</strong> وكلمة المرور هذه.',
  'set-password.done-text': 'من الآن فصاعدًا، سجّل الدخول بكلمة المرور الجديدة. تم تسجيل خروجك من جميع الأجهزة.',
  'set-password.for': 'لاسم المستخدم <strong>{username}</strong>. {characters, plural, zero {# حرف} one {حرف واحد} two {حرفان} few {# أحرف} many {# حرفًا} other {# حرف}} على الأقل.',
  'set-password.for-invitation': 'مرحبًا بك. حسابك جاهز. اسم المستخدم هو <strong>{username}</strong>. اختر كلمة مرور لا يقل طولها عن {characters, plural, zero {# حرف} one {حرف واحد} two {حرفين} few {# أحرف} many {# حرفًا} other {# حرف}}.',
  'set-password.new': 'كلمة المرور الجديدة',
  'set-password.not-changed': '<strong>لم يتم تغيير كلمة المرور.</strong> {reason}',
  'set-password.title': 'تعيين كلمة المرور',
  'set-password.title-invitation': 'اختيار كلمة المرور'
}
