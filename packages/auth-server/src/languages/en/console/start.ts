/** The first page of the console. */
export const start = {
  'console.start.attention': 'Needs attention',
  'console.start.emails-failed': '{count, plural, one {# email} other {{count, number}{more} emails}} could not be sent in the last 24 hours.',
  'console.start.failed-sign-ins': 'Failed sign-ins in 24 hours',
  'console.start.implicit': 'Apps that used the implicit grant this week',
  'console.start.key-changes': 'A new key starts signing {signs} on {time}.',
  'console.start.key-old': 'The key that signs {signs} is not rotated automatically. It was created on {time}.',
  'console.start.last-week': '{count} last week',
  'console.start.locked-out': '{username} is locked out after failed sign-ins.',
  'console.start.logout-failed': '{app} does not accept logout tokens. auth-server retries for up to half an hour.',
  'console.start.nothing': 'Nothing right now.',
  'console.start.people-added': '{now} added in 7 days, {before} in the 7 days before',
  'console.start.self-registered': '{count, plural, one {# self-registered app} other {{count, number}{more} self-registered apps}} not approved.',
  'console.start.sign-ins': 'Sign-ins in 24 hours',
  'console.start.the-day-before': '{count} the day before',
  'console.start.trend': '{trend, select, up {up from {before}} down {down from {before}} other {{before}}}'
} as const
