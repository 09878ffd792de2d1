import type { start as english } from '../../en/console/start.js'

/** The first page of the console. */
export const start: Record<keyof typeof english, string> = {
  'console.start.attention': 'Handlungsbedarf',
  'console.start.emails-failed': '{count, plural, one {# E-Mail konnte} other {{count, number}{more} E-Mails konnten}} in den letzten 24 Stunden nicht gesendet werden.',
  'console.start.failed-sign-ins': 'Fehlgeschlagene Anmeldungen in 24 Stunden',
  'console.start.implicit': 'Apps, die diese Woche den impliziten Grant verwendet haben',
  'console.start.key-changes': 'Ein neuer Schlüssel signiert {signs} ab {time}.',
  'console.start.key-old': 'Der Schlüssel für {signs} wird nicht automatisch ausgetauscht. Er wurde am {time} erstellt.',
  'console.start.last-week': '{count} letzte Woche',
  'console.start.locked-out': '{username} ist nach fehlgeschlagenen Anmeldungen gesperrt.',
  'console.start.logout-failed': '{app} nimmt keine Abmelde-Token an. auth-server versucht es bis zu einer halben Stunde lang weiter.',
  'console.start.nothing': 'Zurzeit nichts.',
  'console.start.people-added': '{now} in 7 Tagen hinzugefügt, {before} in den 7 Tagen davor',
  'console.start.self-registered': '{count, plural, one {# selbst registrierte App ist} other {{count, number}{more} selbst registrierte Apps sind}} nicht freigegeben.',
  'console.start.sign-ins': 'Anmeldungen in 24 Stunden',
  'console.start.the-day-before': '{count} am Vortag',
  'console.start.trend': '{trend, select, up {mehr als {before}} down {weniger als {before}} other {{before}}}'
}
