import type { errorPages as english } from '../en/error-pages.js'

/** Sentences of the pages of errors. */
export const errorPages: Record<keyof typeof english, string> = {
  'error-page.account': 'Zu Ihrem Konto',
  'error-page.account-sign-in': 'Bei Ihrem Konto anmelden',
  'error-page.again': 'Von vorn beginnen',
  'error-page.requested': 'Sie hat <code>{uri}</code> angefordert.',
  'error-page.difference': 'Der Unterschied zur registrierten Adresse: <strong>{difference, select, slash {Schrägstrich am Ende} case {Groß- und Kleinschreibung} encoding {Kodierung} fragment {Fragment} query {Query} path {Pfad} port {Port} scheme {Schema} other {Host}}</strong>.',
  'error-page.fault': 'Das Metadaten-Dokument dieser App enthält einen Fehler.',
  'error-page.missing': 'Es fehlt: <code>{parameters}</code>.',
  'error-page.reference': 'Referenz: <code>{reference}</code>',
  'error-page.all': 'Alle Fehler',
  'error-page.for-developers': 'Wenn Sie die App entwickeln',
  'error-page.for-people': 'Wenn Sie sich anmelden',
  'error-page.list': 'Jeder Fehler, den dieser Server meldet, hat eine Seite. Ihre Adresse ist der <code>type</code> des Problem-Dokuments (RFC 9457).',
  'error-page.list-title': 'Fehler',
  'error-page.status': 'Status {status}',
  'error-page.status-code': 'Status {status}, Fehlercode <code>{error}</code>'
}
