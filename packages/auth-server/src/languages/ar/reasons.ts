import type { reasons as english } from '../en/reasons.js'

/** Why an input is refused. */
export const reasons: Record<keyof typeof english, string> = {
  'reason.text-empty': '{what}: هذا الحقل فارغ.',
  'reason.text-long': '{what}: الحد الأقصى لعدد الأحرف هو {longest}.',
  'reason.text-control': '{what}: يحتوي النص على أحد أحرف التحكم.',
  'reason.text-space': '{what}: يبدأ النص أو ينتهي بمسافة.',
  'reason.noun.name': 'الاسم الكامل',
  'reason.noun.given_name': 'الاسم الأول',
  'reason.noun.family_name': 'اسم العائلة',
  'reason.noun.user_name': 'اسم المستخدم',
  'reason.noun.label': 'التسمية',
  'reason.email-long': 'عنوان البريد الإلكتروني طويل جدًا: الحد الأقصى لعدد الأحرف هو {longest}.',
  'reason.email-control': 'يحتوي عنوان البريد الإلكتروني على أحد أحرف التحكم.',
  'reason.email-form': 'يجب أن يحتوي عنوان البريد الإلكتروني على علامة @ واحدة وعلى نص في جانبيها، دون مسافات.',
  'reason.locale-long': 'اللغة طويلة جدًا: الحد الأقصى لعدد الأحرف هو {longest}.',
  'reason.locale-form': 'يجب أن تكون اللغة وسم لغة (BCP 47) مثل en أو pt-BR.',
  'reason.picture-long': 'عنوان الصورة طويل جدًا: الحد الأقصى لعدد الأحرف هو {longest}.',
  'reason.picture-form': 'يجب أن تكون الصورة عنوان https كاملًا.',
  'reason.picture-user': 'يجب ألا يحتوي عنوان الصورة على اسم مستخدم أو كلمة مرور.',
  'reason.password-short': 'كلمة المرور قصيرة جدًا: الحد الأدنى لعدد الأحرف هو {shortest}.',
  'reason.password-long': 'كلمة المرور طويلة جدًا: الحد الأقصى لعدد البايتات هو {longest}.',
  'reason.password-name': 'يجب ألا تكون كلمة المرور اسم المستخدم أو اسمًا آخر أو عنوان البريد الإلكتروني للحساب.',
  'reason.password-known': 'كلمة المرور هذه مدرجة في قوائم كلمات المرور الشائعة. اختر كلمة أخرى.'
}
