import type { setUpFactor as english } from '../en/set-up-factor.js'

/** Sentences of the page of a link that sets up two-step sign-in. */
export const setUpFactor: Record<keyof typeof english, string> = {
  'set-up-factor.explain': 'لاسم المستخدم <strong>{username}</strong>. أنشأ المسؤول هذا الرابط من أجلك. من الآن فصاعدًا، ستحتاج أيضًا إلى رمز من تطبيق على هاتفك لتسجيل الدخول.',
  'set-up-factor.explain-passkey': 'لاسم المستخدم <strong>{username}</strong>. أنشأ المسؤول هذا الرابط من أجلك. من الآن فصاعدًا، ستحتاج أيضًا إلى مفتاح مرور لتسجيل الدخول.',
  'set-up-factor.note': 'يعمل الرابط مرة واحدة، وباستخدام كلمة المرور الخاصة بك فقط. إذا لم تكن تتوقعه فأبلغ المسؤول.',
  'set-up-factor.title': 'إعداد تسجيل الدخول بخطوتين'
}
