import type { failures as english } from '../en/failures.js'

/** Why a sign-in, a code or an email was refused. */
export const failures: Record<keyof typeof english, string> = {
  'failure.busy': 'يحاول عدد كبير جدًا من الأشخاص تسجيل الدخول الآن. حاول مرة أخرى بعد بضع ثوانٍ.',
  'failure.ended': 'تغيّرت كلمة المرور أو تغيّر حسابك أثناء تسجيل الدخول. سجّل الدخول مرة أخرى.',
  'failure.throttled': 'محاولات كثيرة جدًا. حاول مرة أخرى بعد {minutes, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتين} few {# دقائق} many {# دقيقة} other {# دقيقة}}.',
  'failure.too-many-emails': 'لقد أرسلنا إليك بالفعل عدة رسائل بريد إلكتروني. حاول مرة أخرى بعد {minutes, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتين} few {# دقائق} many {# دقيقة} other {# دقيقة}}.',
  'failure.wrong-code': 'هذا الرمز غير صحيح.',
  'failure.wrong-mailed-code': 'هذا الرمز غير صحيح أو قديم جدًا.',
  'failure.wrong-factor-passkey': 'مفتاح المرور هذا ليس من مفاتيحك أو تعذّر التحقق منه.',
  'failure.wrong-passkey': 'لا يمكنك تسجيل الدخول بمفتاح المرور هذا. استخدم مفتاحًا آخر أو كلمة المرور.',
  'failure.wrong-password': 'اسم المستخدم أو كلمة المرور غير صحيحة.',
  'failure.wrong-own-password': 'كلمة المرور غير صحيحة.'
}
