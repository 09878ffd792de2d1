import type { reasons as english } from '../en/reasons.js'

/** Why an input is refused. */
export const reasons: Record<keyof typeof english, string> = {
  'reason.text-empty': '{what} : ce champ est vide.',
  'reason.text-long': '{what} : {longest} caractères au maximum.',
  'reason.text-control': '{what} : le texte contient un caractère de contrôle.',
  'reason.text-space': '{what} : le texte commence ou se termine par un espace.',
  'reason.noun.name': 'Nom',
  'reason.noun.given_name': 'Prénom',
  'reason.noun.family_name': 'Nom de famille',
  'reason.noun.user_name': 'Nom d’utilisateur',
  'reason.noun.label': 'Libellé',
  'reason.email-long': 'L’adresse e-mail dépasse {longest} caractères.',
  'reason.email-control': 'L’adresse e-mail contient un caractère de contrôle.',
  'reason.email-form': 'L’adresse e-mail doit contenir un seul @, avec du texte de chaque côté, et aucun espace.',
  'reason.locale-long': 'La langue dépasse {longest} caractères.',
  'reason.locale-form': 'La langue doit être un code de langue (BCP 47), par exemple en ou pt-BR.',
  'reason.picture-long': 'L’adresse de la photo dépasse {longest} caractères.',
  'reason.picture-form': 'La photo doit être une adresse https complète.',
  'reason.picture-user': 'L’adresse de la photo ne doit contenir ni nom d’utilisateur ni mot de passe.',
  'reason.password-short': 'Le mot de passe est trop court : {shortest} caractères au minimum.',
  'reason.password-long': 'Le mot de passe est trop long : {longest} octets au maximum.',
  'reason.password-name': 'Le mot de passe ne doit être ni le nom d’utilisateur, ni un nom, ni l’adresse e-mail du compte.',
  'reason.password-known': 'Ce mot de passe figure dans des listes de mots de passe courants. Choisissez-en un autre.'
}
