import type { signUp as english } from '../en/sign-up.js'

/** Sentences of the pages that create an account. */
export const signUp: Record<keyof typeof english, string> = {
  'create-account.accept-terms': 'Pour créer un compte, acceptez les conditions d’utilisation.',
  'create-account.address': 'Votre adresse e-mail est <strong>{address}</strong>.',
  'create-account.foreign-name': 'Le nom d’utilisateur ne peut pas être une autre adresse e-mail.',
  'create-account.invisible-character': 'Le nom d’utilisateur contient un caractère invisible.',
  'create-account.mixed-scripts': 'Le nom d’utilisateur ne doit contenir que des lettres d’une même écriture courante, comme l’alphabet latin ou cyrillique.',
  'create-account.name': 'Nom (facultatif)',
  'create-account.not-created': '<strong>Votre compte n’a pas été créé.</strong>',
  'create-account.password-hint': 'Au moins {count, plural, one {# caractère} many {# de caractères} other {# caractères}}.',
  'create-account.read-terms': 'Lire les conditions d’utilisation',
  'create-account.reserved-name': 'Ce nom d’utilisateur est réservé. Choisissez-en un autre.',
  'create-account.submit': 'Créer le compte',
  'create-account.taken-name': 'Ce nom d’utilisateur est déjà pris. Choisissez-en un autre.',
  'create-account.terms': 'J’accepte les conditions d’utilisation',
  'create-account.title': 'Créer votre compte',
  'create-account.used-code': 'Votre code d’invitation a expiré ou a atteint sa limite d’utilisations. Demandez-en un autre, puis recommencez.',
  'create-account.username': 'Nom d’utilisateur',
  'create-account.username-hint': 'Vous pouvez vous connecter avec ce nom ou avec votre adresse e-mail. Les applications que vous utilisez peuvent le voir.',
  'sign-up.code': 'Code d’invitation',
  'sign-up.email': 'Adresse e-mail',
  'sign-up.has-account': 'Vous avez déjà un compte ? <link>Se connecter</link>',
  'sign-up.intro': 'Nous vous enverrons par e-mail un lien pour continuer.',
  'sign-up.new-here': 'Première visite ? <link>Créer un compte</link>',
  'sign-up.not-sent': '<strong>Nous n’avons pas envoyé d’e-mail.</strong>',
  'sign-up.send': 'Envoyer l’e-mail',
  'sign-up.sent': 'Nous avons envoyé un e-mail à <strong>{address}</strong>. Ouvrez le lien qu’il contient pour continuer. Il fonctionne une seule fois, pendant {hours, plural, one {# heure} many {# d’heures} other {# heures}}.',
  'sign-up.sent-note': 'Pas d’e-mail ? Vérifiez votre dossier de courrier indésirable. Vous pourrez en demander un autre dans {minutes, plural, one {# minute} many {# de minutes} other {# minutes}}.',
  'sign-up.sent-title': 'Consultez vos e-mails',
  'sign-up.title': 'Créer un compte',
  'sign-up.wrong-code': 'Ce code d’invitation est incorrect, a expiré ou a atteint sa limite d’utilisations.'
}
