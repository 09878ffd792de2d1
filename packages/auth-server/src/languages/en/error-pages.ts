/** Sentences of the pages of errors. */
export const errorPages = {
  'error-page.account': 'Go to your account',
  'error-page.account-sign-in': 'Sign in to your account',
  'error-page.again': 'Start again',
  'error-page.requested': 'It asked for <code>{uri}</code>.',
  'error-page.difference': 'It differs from the registered address in its <strong>{difference, select, slash {trailing slash} case {case} encoding {encoding} fragment {fragment} query {query} path {path} port {port} scheme {scheme} other {host}}</strong>.',
  'error-page.fault': 'The metadata document of this app has an error.',
  'error-page.missing': 'It is missing <code>{parameters}</code>.',
  'error-page.reference': 'Reference: <code>{reference}</code>',
  'error-page.all': 'All errors',
  'error-page.for-developers': 'If you develop the app',
  'error-page.for-people': 'If you are signing in',
  'error-page.list': 'Each error that this server returns has a page. Its address is the <code>type</code> of the problem document (RFC 9457).',
  'error-page.list-title': 'Errors',
  'error-page.status': 'Status {status}',
  'error-page.status-code': 'Status {status}, error code <code>{error}</code>'
} as const
