import type { errorPages as english } from '../en/error-pages.js'

/** Sentences of the pages of errors. */
export const errorPages: Record<keyof typeof english, string> = {
  'error-page.account': 'Ir a su cuenta',
  'error-page.account-sign-in': 'Iniciar sesión en su cuenta',
  'error-page.again': 'Empezar de nuevo',
  'error-page.requested': 'Solicitó <code>{uri}</code>.',
  'error-page.difference': 'Diferencia con la dirección registrada: <strong>{difference, select, slash {barra final} case {mayúsculas y minúsculas} encoding {codificación} fragment {fragmento} query {consulta} path {ruta} port {puerto} scheme {esquema} other {host}}</strong>.',
  'error-page.fault': 'El documento de metadatos de esta aplicación tiene un error.',
  'error-page.missing': 'Falta: <code>{parameters}</code>.',
  'error-page.reference': 'Referencia: <code>{reference}</code>',
  'error-page.all': 'Todos los errores',
  'error-page.for-developers': 'Si desarrolla la aplicación',
  'error-page.for-people': 'Si está iniciando sesión',
  'error-page.list': 'Cada error que devuelve este servidor tiene una página. Su dirección es el <code>type</code> del documento de problema (RFC 9457).',
  'error-page.list-title': 'Errores',
  'error-page.status': 'Estado {status}',
  'error-page.status-code': 'Estado {status}, código de error <code>{error}</code>'
}
