import type { upstream as english } from '../en/upstream.js'

/** Sentences about the upstream provider. */
export const upstream: Record<keyof typeof english, string> = {
  'upstream.account': 'حسابك لدى <strong>{provider}</strong> مرتبط: يمكنك تسجيل الدخول به بدلاً من كلمة المرور.',
  'upstream.changed-elsewhere': 'لم يُلغَ أي ربط: تم تغيير حسابك للتو على جهاز آخر.',
  'upstream.connect': 'ربط {provider}',
  'upstream.connected': 'تم ربط الحساب. يمكنك الآن تسجيل الدخول به.',
  'upstream.connected-since': 'مرتبط منذ',
  'upstream.disconnect': 'إلغاء ربط {provider}',
  'upstream.disconnected': 'تم إلغاء الربط. تم تسجيل خروجك من جميع الأجهزة الأخرى، وفقدت التطبيقات حق الوصول.',
  'upstream.disconnecting': 'يؤدي إلغاء الربط إلى تسجيل خروجك من جميع الأجهزة الأخرى وإلغاء حق وصول جميع التطبيقات. بعد ذلك تسجّل الدخول بكلمة المرور.',
  'upstream.invitation': 'اربط حسابك لدى <strong>{provider}</strong> لتسجيل الدخول به بدلاً من كلمة المرور.',
  'upstream.last-used': 'آخر استخدام',
  'upstream.manage': 'إدارة {provider}',
  'upstream.no-password': 'ليست لديك كلمة مرور بعد؟ <link>عيّن كلمة مرور</link>',
  'upstream.not-used': 'ليس بعد',
  'upstream.of-user': '{issuer}، مرتبط منذ {since}',
  'upstream.of-user-used': '{issuer}، مرتبط منذ {since}، آخر استخدام {used}',
  'upstream.provider': 'مزوّد خارجي',
  'upstream.second-step': 'سيظل تسجيل الدخول بخطوتين يطلب منك رمزًا أو مفتاح مرور.',
  'upstream.sign-in': 'تسجيل الدخول باستخدام {provider}',
  'upstream.taken-back': 'أُلغي ربط حسابك لدى خدمة تسجيل الدخول الأخرى.',
  'upstream.notice-facts': 'الخدمة: {provider}.',
  'notice.upstream-connected': 'تم ربط حساب آخر',
  'notice.upstream-connected.says': 'تم ربط حساب لدى خدمة تسجيل دخول أخرى بحسابك لدى {site}. كل من يسجّل الدخول إليه يمكنه تسجيل الدخول إلى حسابك.',
  'notice.upstream-disconnected': 'أُلغي ربط حساب آخر',
  'notice.upstream-disconnected.says': 'أُلغي ربط حساب لدى خدمة تسجيل دخول أخرى بحسابك لدى {site}. لم يعد بإمكانك تسجيل الدخول به.'
}
