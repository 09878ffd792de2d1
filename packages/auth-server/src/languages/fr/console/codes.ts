import type { codes as english } from '../../en/console/codes.js'

/** Sentences of the page with invitation codes, and of accepted terms. */
export const codes: Record<keyof typeof english, string> = {
  'console.codes.about': 'Avec un code, les personnes créent elles-mêmes un compte.',
  'console.codes.by-shell': 'Ligne de commande',
  'console.codes.copy': 'Copiez maintenant le code pour <strong>{label}</strong>, ou le lien qui le contient. Il ne sera plus affiché.',
  'console.codes.create': 'Créer le code',
  'console.codes.create-title': 'Créer un code',
  'console.codes.created-by': 'Créé par',
  'console.codes.days': 'Validité en jours',
  'console.codes.empty': 'Aucun code d’invitation.',
  'console.codes.expires': 'Expire',
  'console.codes.is-off': 'Ce serveur n’utilise pas de codes actuellement : définissez <code>SIGN_UP=code</code>.',
  'console.codes.label': 'Libellé',
  'console.codes.label-hint': 'Qui le reçoit, par exemple Partenaires.',
  'console.codes.new': 'Nouveau code d’invitation',
  'console.codes.remove': 'Supprimer<unseen> {label}</unseen>',
  'console.codes.removed': 'Code d’invitation supprimé.',
  'console.codes.role-hint': 'Toutes les personnes qui utilisent le code l’obtiennent.',
  'console.codes.title': 'Codes d’invitation',
  'console.codes.uses': 'Nombre de personnes',
  'console.codes.uses-left': 'Utilisations restantes',
  'console.person.terms': 'Conditions d’utilisation',
  'console.person.terms-accepted': 'Version {version}, acceptée le {at}'
}
