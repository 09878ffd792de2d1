import type { start as english } from '../../en/console/start.js'

/** The first page of the console. */
export const start: Record<keyof typeof english, string> = {
  'console.start.attention': 'يتطلب انتباهك',
  'console.start.emails-failed': '{count, plural, zero {تعذّر إرسال {count, number}{more} رسالة} one {تعذّر إرسال رسالة واحدة} two {تعذّر إرسال رسالتين} few {تعذّر إرسال {count, number}{more} رسائل} many {تعذّر إرسال {count, number}{more} رسالة} other {تعذّر إرسال {count, number}{more} رسالة}} خلال آخر 24 ساعة.',
  'console.start.failed-sign-ins': 'محاولات تسجيل الدخول الفاشلة خلال 24 ساعة',
  'console.start.implicit': 'التطبيقات التي استخدمت المنح الضمني هذا الأسبوع',
  'console.start.key-changes': 'سيبدأ مفتاح جديد بتوقيع {signs} في {time}.',
  'console.start.key-old': 'لا يُستبدل المفتاح الذي يوقّع {signs} تلقائيًا. أُنشئ في {time}.',
  'console.start.last-week': '{count} في الأسبوع الماضي',
  'console.start.locked-out': 'الحساب {username} مقفل بعد محاولات تسجيل دخول فاشلة.',
  'console.start.logout-failed': 'لا يقبل {app} رموز تسجيل الخروج. يعيد auth-server المحاولة لمدة تصل إلى نصف ساعة.',
  'console.start.nothing': 'لا شيء الآن.',
  'console.start.people-added': 'المضافون: {now} خلال 7 أيام، و{before} خلال الأيام السبعة السابقة',
  'console.start.self-registered': '{count, plural, zero {{count, number}{more} تطبيق مسجّل ذاتيًا لم تتم الموافقة عليه} one {تطبيق واحد مسجّل ذاتيًا لم تتم الموافقة عليه} two {تطبيقان مسجّلان ذاتيًا لم تتم الموافقة عليهما} few {{count, number}{more} تطبيقات مسجّلة ذاتيًا لم تتم الموافقة عليها} many {{count, number}{more} تطبيقًا مسجّلًا ذاتيًا لم تتم الموافقة عليه} other {{count, number}{more} تطبيق مسجّل ذاتيًا لم تتم الموافقة عليه}}.',
  'console.start.sign-ins': 'عمليات تسجيل الدخول خلال 24 ساعة',
  'console.start.the-day-before': '{count} في اليوم السابق',
  'console.start.trend': '{trend, select, up {ارتفاعًا من {before}} down {انخفاضًا من {before}} other {{before}}}'
}
