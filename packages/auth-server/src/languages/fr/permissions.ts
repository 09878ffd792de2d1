import type { permissions as english } from '../en/permissions.js'

/** What a scope or a claim allows an app to do. */
export const permissions: Record<keyof typeof english, string> = {
  'permission.openid': 'Savoir qui vous êtes',
  'permission.profile': 'Voir votre nom, votre nom d’utilisateur, votre langue et votre photo',
  'permission.email': 'Voir votre adresse e-mail',
  'permission.roles': 'Voir vos rôles',
  'permission.offline_access': 'Conserver l’accès après votre déconnexion',
  'permission.customer:read': 'Consulter les clients',
  'permission.customer:write': 'Ajouter et modifier des clients',
  'permission.customer:delete': 'Supprimer des clients',
  'permission.customer:undo': 'Annuler les modifications d’autres applications',
  'permission.admin:read': 'Voir les utilisateurs, les applications, les clés et le journal d’audit de ce serveur',
  'permission.admin:write': 'Gérer les utilisateurs, les applications et les clés de ce serveur',
  'permission.directory:read': 'Voir les noms des autres utilisateurs',
  'permission.claim.name': 'Voir votre nom',
  'permission.claim.given_name': 'Voir votre prénom',
  'permission.claim.family_name': 'Voir votre nom de famille',
  'permission.claim.email': 'Voir votre adresse e-mail',
  'permission.claim.email_verified': 'Voir si votre adresse e-mail est vérifiée',
  'permission.claim.locale': 'Voir votre langue',
  'permission.claim.picture': 'Voir votre photo',
  'permission.claim.preferred_username': 'Voir votre nom d’utilisateur',
  'permission.claim.updated_at': 'Voir la date de la dernière modification de vos informations'
}
