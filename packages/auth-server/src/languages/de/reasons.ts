import type { reasons as english } from '../en/reasons.js'

/** Why an input is refused. */
export const reasons: Record<keyof typeof english, string> = {
  'reason.text-empty': '{what}: Dieses Feld ist leer.',
  'reason.text-long': '{what}: höchstens {longest} Zeichen.',
  'reason.text-control': '{what}: Der Text enthält ein Steuerzeichen.',
  'reason.text-space': '{what}: Der Text beginnt oder endet mit einem Leerzeichen.',
  'reason.noun.name': 'Name',
  'reason.noun.given_name': 'Vorname',
  'reason.noun.family_name': 'Nachname',
  'reason.noun.user_name': 'Benutzername',
  'reason.noun.label': 'Bezeichnung',
  'reason.email-long': 'Die E-Mail-Adresse ist länger als {longest} Zeichen.',
  'reason.email-control': 'Die E-Mail-Adresse enthält ein Steuerzeichen.',
  'reason.email-form': 'Die E-Mail-Adresse muss genau ein @ mit Text auf beiden Seiten und darf keine Leerzeichen enthalten.',
  'reason.locale-long': 'Die Sprache ist länger als {longest} Zeichen.',
  'reason.locale-form': 'Die Sprache muss ein Sprachkürzel (BCP 47) sein, zum Beispiel en oder pt-BR.',
  'reason.picture-long': 'Die Adresse des Bildes ist länger als {longest} Zeichen.',
  'reason.picture-form': 'Das Bild muss eine vollständige https-Adresse sein.',
  'reason.picture-user': 'Die Adresse des Bildes darf weder Benutzernamen noch Passwort enthalten.',
  'reason.password-short': 'Das Passwort ist zu kurz: mindestens {shortest} Zeichen.',
  'reason.password-long': 'Das Passwort ist zu lang: höchstens {longest} Byte.',
  'reason.password-name': 'Das Passwort darf nicht der Benutzername, ein Name oder die E-Mail-Adresse des Kontos sein.',
  'reason.password-known': 'Dieses Passwort steht auf Listen häufiger Passwörter. Wählen Sie ein anderes.'
}
