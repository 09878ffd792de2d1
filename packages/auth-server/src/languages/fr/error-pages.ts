import type { errorPages as english } from '../en/error-pages.js'

/** Sentences of the pages of errors. */
export const errorPages: Record<keyof typeof english, string> = {
  'error-page.account': 'Accéder à votre compte',
  'error-page.account-sign-in': 'Se connecter à votre compte',
  'error-page.again': 'Recommencer',
  'error-page.requested': 'Elle a demandé <code>{uri}</code>.',
  'error-page.difference': 'Différence avec l’adresse enregistrée : <strong>{difference, select, slash {barre oblique finale} case {majuscules et minuscules} encoding {encodage} fragment {fragment} query {chaîne de requête} path {chemin} port {port} scheme {schéma} other {hôte}}</strong>.',
  'error-page.fault': 'Le document de métadonnées de cette application contient une erreur.',
  'error-page.missing': 'Il manque : <code>{parameters}</code>.',
  'error-page.reference': 'Référence : <code>{reference}</code>',
  'error-page.all': 'Toutes les erreurs',
  'error-page.for-developers': 'Si vous développez l’application',
  'error-page.for-people': 'Si vous vous connectez',
  'error-page.list': 'Chaque erreur renvoyée par ce serveur a une page. Son adresse est le <code>type</code> du document de problème (RFC 9457).',
  'error-page.list-title': 'Erreurs',
  'error-page.status': 'Statut {status}',
  'error-page.status-code': 'Statut {status}, code d’erreur <code>{error}</code>'
}
