import type { setUpFactor as english } from '../en/set-up-factor.js'

/** Sentences of the page of a link that sets up two-step sign-in. */
export const setUpFactor: Record<keyof typeof english, string> = {
  'set-up-factor.explain': 'Pour le nom d’utilisateur <strong>{username}</strong>. Votre administrateur a créé ce lien pour vous. Désormais, il vous faudra aussi un code généré par une application sur votre téléphone pour vous connecter.',
  'set-up-factor.explain-passkey': 'Pour le nom d’utilisateur <strong>{username}</strong>. Votre administrateur a créé ce lien pour vous. Désormais, il vous faudra aussi une clé d’accès pour vous connecter.',
  'set-up-factor.note': 'Le lien fonctionne une seule fois, et uniquement avec votre mot de passe. Si vous ne l’attendiez pas, prévenez votre administrateur.',
  'set-up-factor.title': 'Configurer la connexion en deux étapes'
}
