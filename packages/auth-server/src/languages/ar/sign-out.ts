import type { signOut as english } from '../en/sign-out.js'

/** Sentences of the pages that sign out. */
export const signOut: Record<keyof typeof english, string> = {
  'sign-out.again': 'تسجيل الدخول مرة أخرى',
  'sign-out.apps-keep': 'قد تظل مسجّل الدخول في التطبيقات إلى أن تنتهي صلاحية وصولها. يمكنك إغلاق هذه الصفحة.',
  'sign-out.apps-lose': 'تفقد جميع التطبيقات حق الوصول خلال عشر ثوانٍ. يمكنك إغلاق هذه الصفحة.',
  'sign-out.asked': 'يطلب منك <strong>{app}</strong> تسجيل الخروج.',
  'sign-out.done': 'تم تسجيل خروجك',
  'sign-out.done-everywhere': 'تم تسجيل خروجك من كل مكان',
  'sign-out.stay': 'البقاء مسجّل الدخول',
  'sign-out.title': 'تسجيل الخروج',
  'sign-out.who': 'أنت مسجّل الدخول باسم <strong>{username}</strong>. قد تظل مسجّل الدخول في التطبيقات إلى أن تنتهي صلاحية وصولها.'
}
