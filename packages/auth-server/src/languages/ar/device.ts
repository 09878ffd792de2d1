import type { device as english } from '../en/device.js'

/** Sentences of the pages that connect a device. */
export const device: Record<keyof typeof english, string> = {
  'device.code': 'الرمز',
  'device.caution': 'إذا أرسل إليك أحدهم رمزًا أو رابطًا إلى هذه الصفحة فأغلقها: فقد يكون يحاول الوصول إلى حسابك.',
  'device.done-allowed': 'تم توصيل الجهاز. عُد إلى جهازك؛ يمكنك إغلاق هذه الصفحة.',
  'device.done-allowed-title': 'تم السماح بالوصول',
  'device.done-denied': 'ليس للجهاز حق الوصول. يمكنك إغلاق هذه الصفحة.',
  'device.done-denied-title': 'تم رفض الوصول',
  'device.done-remove': 'لإلغاء حق الوصول لاحقًا، انتقل إلى <link>حسابك</link>.',
  'device.enter': 'أدخل الرمز الذي يعرضه جهازك.',
  'device.title': 'توصيل جهاز'
}
