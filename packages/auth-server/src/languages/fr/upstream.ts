import type { upstream as english } from '../en/upstream.js'

/** Sentences about the upstream provider. */
export const upstream: Record<keyof typeof english, string> = {
  'upstream.account': 'Votre compte chez <strong>{provider}</strong> est associé : vous pouvez vous connecter avec lui à la place de votre mot de passe.',
  'upstream.changed-elsewhere': 'Rien n’a été dissocié : votre compte vient d’être modifié sur un autre appareil.',
  'upstream.connect': 'Associer {provider}',
  'upstream.connected': 'Compte associé. Vous pouvez désormais vous connecter avec lui.',
  'upstream.connected-since': 'Associé depuis',
  'upstream.disconnect': 'Dissocier {provider}',
  'upstream.disconnected': 'Compte dissocié. Vous êtes déconnecté de tous les autres appareils, et les applications n’ont plus accès.',
  'upstream.disconnecting': 'La dissociation vous déconnecte de tous les autres appareils et retire l’accès à toutes les applications. Vous vous connecterez ensuite avec votre mot de passe.',
  'upstream.invitation': 'Associez votre compte chez <strong>{provider}</strong> pour vous connecter avec lui à la place de votre mot de passe.',
  'upstream.last-used': 'Dernière utilisation',
  'upstream.manage': 'Gérer {provider}',
  'upstream.no-password': 'Pas encore de mot de passe ? <link>En définir un</link>',
  'upstream.not-used': 'pas encore',
  'upstream.of-user': '{issuer}, associé le {since}',
  'upstream.of-user-used': '{issuer}, associé le {since}, dernière utilisation le {used}',
  'upstream.provider': 'Fournisseur externe',
  'upstream.second-step': 'La connexion en deux étapes vous demandera toujours un code ou une clé d’accès.',
  'upstream.sign-in': 'Se connecter avec {provider}',
  'upstream.taken-back': 'Votre compte chez l’autre service de connexion a été dissocié.',
  'upstream.notice-facts': 'Service : {provider}.',
  'notice.upstream-connected': 'Un autre compte a été associé',
  'notice.upstream-connected.says': 'Un compte chez un autre service de connexion a été associé à votre compte sur {site}. Toute personne qui s’y connecte peut se connecter au vôtre.',
  'notice.upstream-disconnected': 'Un autre compte a été dissocié',
  'notice.upstream-disconnected.says': 'Un compte chez un autre service de connexion a été dissocié de votre compte sur {site}. Vous ne pouvez plus vous connecter avec lui.'
}
