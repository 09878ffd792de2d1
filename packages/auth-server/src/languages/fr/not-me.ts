import type { notMe as english } from '../en/not-me.js'

/** Sentences of the page that denies a change. */
export const notMe: Record<keyof typeof english, string> = {
  'not-me.address-lost': 'Votre compte a maintenant une autre adresse e-mail. Nous ne pouvons donc pas vous envoyer de lien pour définir un nouveau mot de passe. <strong>Contactez votre administrateur</strong> pour retrouver l’accès à votre compte.',
  'not-me.button': 'Ce n’était pas moi',
  'not-me.done': 'Tout le monde est déconnecté',
  'not-me.done-text': 'Vos sessions ont été fermées sur tous les appareils, les applications n’ont plus accès et votre ancien mot de passe ne fonctionne plus.',
  'not-me.effect-address': 'Votre mot de passe ne fonctionne plus. L’adresse e-mail actuelle du compte ne permet pas d’en définir un nouveau : contactez votre administrateur.',
  'not-me.effect-app': 'La nouvelle application d’authentification est supprimée.',
  'not-me.effect-mail': 'Votre mot de passe ne fonctionne plus. Nous vous envoyons par e-mail un lien pour en définir un nouveau.',
  'not-me.effect-passkey': 'La clé d’accès est supprimée.',
  'not-me.effect-sessions': 'Tout le monde est déconnecté de tous les appareils et les applications perdent leur accès.',
  'not-me.event': '<strong>{what}</strong>, {at}, pour le nom d’utilisateur <strong>{username}</strong>.',
  'not-me.explain': 'Si ce n’était pas vous, appuyez sur le bouton. Alors :',
  'not-me.mailed': '<strong>Consultez vos e-mails :</strong> nous vous avons envoyé un lien pour définir un nouveau mot de passe. Il fonctionne pendant une heure. Ensuite, vérifiez les clés d’accès et l’application d’authentification sur la page de votre compte.',
  'not-me.no-mail': 'Pas d’e-mail ? Vérifiez votre dossier de courrier indésirable ou <link>demandez-en un autre</link>.',
  'not-me.note': 'Si c’était vous, fermez cette page : rien ne change.',
  'not-me.removed-app': 'L’application d’authentification a été supprimée.',
  'not-me.removed-passkey': 'La clé d’accès a été supprimée.',
  'not-me.title': 'Ce n’était pas vous ?'
}
