import type { permissions as english } from '../en/permissions.js'

/** What a scope or a claim allows an app to do. */
export const permissions: Record<keyof typeof english, string> = {
  'permission.openid': 'معرفة هويتك',
  'permission.profile': 'الاطلاع على اسمك واسم المستخدم واللغة والصورة',
  'permission.email': 'الاطلاع على عنوان بريدك الإلكتروني',
  'permission.roles': 'الاطلاع على أدوارك',
  'permission.offline_access': 'الاحتفاظ بحق الوصول حتى عندما لا تكون مسجّل الدخول',
  'permission.customer:read': 'البحث عن العملاء',
  'permission.customer:write': 'إضافة العملاء وتعديلهم',
  'permission.customer:delete': 'إزالة العملاء',
  'permission.customer:undo': 'التراجع عن تغييرات التطبيقات الأخرى',
  'permission.admin:read': 'الاطلاع على المستخدمين والتطبيقات والمفاتيح وسجل التدقيق في هذا الخادم',
  'permission.admin:write': 'إدارة المستخدمين والتطبيقات والمفاتيح في هذا الخادم',
  'permission.directory:read': 'الاطلاع على أسماء المستخدمين الآخرين',
  'permission.claim.name': 'الاطلاع على اسمك',
  'permission.claim.given_name': 'الاطلاع على اسمك الأول',
  'permission.claim.family_name': 'الاطلاع على اسم عائلتك',
  'permission.claim.email': 'الاطلاع على عنوان بريدك الإلكتروني',
  'permission.claim.email_verified': 'معرفة ما إذا كان عنوان بريدك الإلكتروني مؤكَّدًا',
  'permission.claim.locale': 'الاطلاع على لغتك',
  'permission.claim.picture': 'الاطلاع على صورتك',
  'permission.claim.preferred_username': 'الاطلاع على اسم المستخدم',
  'permission.claim.updated_at': 'معرفة وقت آخر تغيير لبياناتك'
}
