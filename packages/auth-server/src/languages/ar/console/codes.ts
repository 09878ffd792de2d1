import type { codes as english } from '../../en/console/codes.js'

/** Sentences of the page with invitation codes, and of accepted terms. */
export const codes: Record<keyof typeof english, string> = {
  'console.codes.about': 'باستخدام رمز، يمكن للأشخاص إنشاء حساباتهم بأنفسهم.',
  'console.codes.by-shell': 'سطر الأوامر',
  'console.codes.copy': 'انسخ الآن الرمز الخاص بـ <strong>{label}</strong> أو الرابط الذي يتضمنه. لن يُعرض مرة أخرى.',
  'console.codes.create': 'إنشاء الرمز',
  'console.codes.create-title': 'إنشاء رمز',
  'console.codes.created-by': 'أنشأه',
  'console.codes.days': 'مدة الصلاحية بالأيام',
  'console.codes.empty': 'لا توجد رموز دعوة.',
  'console.codes.expires': 'تاريخ الانتهاء',
  'console.codes.is-off': 'لا يستخدم هذا الخادم الرموز حاليًا: اضبط <code>SIGN_UP=code</code>.',
  'console.codes.label': 'التسمية',
  'console.codes.label-hint': 'من يحصل عليه، مثل «الشركاء».',
  'console.codes.new': 'رمز دعوة جديد',
  'console.codes.remove': 'حذف<unseen> {label}</unseen>',
  'console.codes.removed': 'حُذف رمز الدعوة.',
  'console.codes.role-hint': 'يحصل على هذا الدور كل من يستخدم الرمز.',
  'console.codes.title': 'رموز الدعوة',
  'console.codes.uses': 'عدد الأشخاص',
  'console.codes.uses-left': 'المتبقي',
  'console.person.terms': 'شروط الاستخدام',
  'console.person.terms-accepted': 'الإصدار {version}، تمت الموافقة عليه في {at}'
}
