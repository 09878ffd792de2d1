import type { forgotPassword as english } from '../en/forgot-password.js'

/** Sentences of the page that requests a link to set a password. */
export const forgotPassword: Record<keyof typeof english, string> = {
  'forgot-password.button': 'إرسال البريد الإلكتروني',
  'forgot-password.explain': 'سنرسل إليك عبر البريد الإلكتروني رابطًا لاختيار كلمة مرور جديدة.',
  'forgot-password.not-sent': '<strong>لم نرسل أي رسالة.</strong> {reason}',
  'forgot-password.throttled': 'طلبات كثيرة جدًا. حاول مرة أخرى بعد {minutes, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتين} few {# دقائق} many {# دقيقة} other {# دقيقة}}.'
}
