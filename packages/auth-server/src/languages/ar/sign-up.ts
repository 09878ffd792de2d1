import type { signUp as english } from '../en/sign-up.js'

/** Sentences of the pages that create an account. */
export const signUp: Record<keyof typeof english, string> = {
  'create-account.accept-terms': 'لإنشاء حساب، يجب أن توافق على شروط الاستخدام.',
  'create-account.address': 'عنوان بريدك الإلكتروني هو <strong>{address}</strong>.',
  'create-account.foreign-name': 'لا يمكن أن يكون اسم المستخدم عنوان بريد إلكتروني آخر.',
  'create-account.invisible-character': 'يحتوي اسم المستخدم على محرف غير مرئي.',
  'create-account.mixed-scripts': 'يجب أن يستخدم اسم المستخدم أحرف نظام كتابة شائع واحد فقط، مثل اللاتيني أو السيريلي.',
  'create-account.name': 'الاسم (اختياري)',
  'create-account.not-created': '<strong>لم يُنشأ حسابك.</strong>',
  'create-account.password-hint': '{count, plural, zero {# حرف} one {حرف واحد} two {حرفان} few {# أحرف} many {# حرفًا} other {# حرف}} على الأقل.',
  'create-account.read-terms': 'قراءة شروط الاستخدام',
  'create-account.reserved-name': 'اسم المستخدم هذا محجوز. اختر اسمًا آخر.',
  'create-account.submit': 'إنشاء الحساب',
  'create-account.taken-name': 'اسم المستخدم هذا مستخدَم بالفعل. اختر اسمًا آخر.',
  'create-account.terms': 'أوافق على شروط الاستخدام',
  'create-account.title': 'إنشاء حسابك',
  'create-account.used-code': 'انتهت صلاحية رمز الدعوة أو استُنفدت مرات استخدامه. اطلب رمزًا آخر ثم ابدأ من جديد.',
  'create-account.username': 'اسم المستخدم',
  'create-account.username-hint': 'يمكنك تسجيل الدخول به أو بعنوان بريدك الإلكتروني. ويمكن للتطبيقات التي تستخدمها أن تراه.',
  'sign-up.code': 'رمز الدعوة',
  'sign-up.email': 'عنوان البريد الإلكتروني',
  'sign-up.has-account': 'ألديك حساب بالفعل؟ <link>تسجيل الدخول</link>',
  'sign-up.intro': 'سنرسل إليك رابطًا للمتابعة عبر البريد الإلكتروني.',
  'sign-up.new-here': 'هل أنت جديد هنا؟ <link>إنشاء حساب</link>',
  'sign-up.not-sent': '<strong>لم نرسل بريدًا إلكترونيًا.</strong>',
  'sign-up.send': 'إرسال البريد الإلكتروني',
  'sign-up.sent': 'أرسلنا بريدًا إلكترونيًا إلى <strong>{address}</strong>. افتح الرابط الموجود فيه للمتابعة. يعمل الرابط مرة واحدة، خلال {hours, plural, zero {# ساعة} one {ساعة واحدة} two {ساعتين} few {# ساعات} many {# ساعة} other {# ساعة}}.',
  'sign-up.sent-note': 'ألم يصلك البريد الإلكتروني؟ تحقق من مجلد الرسائل غير المرغوب فيها. يمكنك طلب رسالة أخرى بعد {minutes, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتين} few {# دقائق} many {# دقيقة} other {# دقيقة}}.',
  'sign-up.sent-title': 'تحقق من بريدك الإلكتروني',
  'sign-up.title': 'إنشاء حساب',
  'sign-up.wrong-code': 'رمز الدعوة هذا غير صحيح أو انتهت صلاحيته أو استُنفدت مرات استخدامه.'
}
