import type { attributes as english } from '../en/attributes.js'

/** Names of a user's attributes by their claims, and hints for their fields. */
export const attributes: Record<keyof typeof english, string> = {
  'attribute.name': 'الاسم الكامل',
  'attribute.given_name': 'الاسم الأول',
  'attribute.family_name': 'اسم العائلة',
  'attribute.email': 'عنوان البريد الإلكتروني',
  'attribute.email.hint': 'يكون العنوان الجديد غير مؤكَّد.',
  'attribute.email_verified': 'مؤكَّد',
  'attribute.locale': 'اللغة',
  'attribute.locale.hint': 'مثل en أو de أو pt-BR.',
  'attribute.picture': 'الصورة',
  'attribute.picture.hint': 'عنوان يبدأ بـ https.'
}
