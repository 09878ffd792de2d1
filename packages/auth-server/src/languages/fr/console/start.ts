import type { start as english } from '../../en/console/start.js'

/** The first page of the console. */
export const start: Record<keyof typeof english, string> = {
  'console.start.attention': 'À traiter',
  'console.start.emails-failed': '{count, plural, one {# e-mail n’a pas pu être envoyé} many {{count, number}{more} d’e-mails n’ont pas pu être envoyés} other {{count, number}{more} e-mails n’ont pas pu être envoyés}} au cours des dernières 24 heures.',
  'console.start.failed-sign-ins': 'Échecs de connexion en 24 heures',
  'console.start.implicit': 'Applications ayant utilisé l’octroi implicite cette semaine',
  'console.start.key-changes': 'Une nouvelle clé commence à signer les {signs} le {time}.',
  'console.start.key-old': 'La clé qui signe les {signs} n’est pas renouvelée automatiquement. Elle a été créée le {time}.',
  'console.start.last-week': '{count} la semaine dernière',
  'console.start.locked-out': '{username} est bloqué après des échecs de connexion.',
  'console.start.logout-failed': '{app} n’accepte pas les jetons de déconnexion. auth-server réessaie pendant une demi-heure au plus.',
  'console.start.nothing': 'Rien pour le moment.',
  'console.start.people-added': 'Ajouts : {now} en 7 jours, {before} les 7 jours précédents',
  'console.start.self-registered': '{count, plural, one {# application auto-enregistrée n’est pas approuvée} many {{count, number}{more} d’applications auto-enregistrées ne sont pas approuvées} other {{count, number}{more} applications auto-enregistrées ne sont pas approuvées}}.',
  'console.start.sign-ins': 'Connexions en 24 heures',
  'console.start.the-day-before': '{count} la veille',
  'console.start.trend': '{trend, select, up {en hausse, contre {before}} down {en baisse, contre {before}} other {{before}}}'
}
