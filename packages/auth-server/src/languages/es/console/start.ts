import type { start as english } from '../../en/console/start.js'

/** The first page of the console. */
export const start: Record<keyof typeof english, string> = {
  'console.start.attention': 'Requiere atención',
  'console.start.emails-failed': '{count, plural, one {No se pudo enviar # correo} many {No se pudieron enviar {count, number}{more} de correos} other {No se pudieron enviar {count, number}{more} correos}} en las últimas 24 horas.',
  'console.start.failed-sign-ins': 'Inicios de sesión fallidos en 24 horas',
  'console.start.implicit': 'Aplicaciones que usaron la concesión implícita esta semana',
  'console.start.key-changes': 'Una nueva clave empieza a firmar los {signs} el {time}.',
  'console.start.key-old': 'La clave que firma los {signs} no se reemplaza automáticamente. Se creó el {time}.',
  'console.start.last-week': '{count} la semana pasada',
  'console.start.locked-out': 'La cuenta {username} está bloqueada por inicios de sesión fallidos.',
  'console.start.logout-failed': '{app} no acepta los tokens de cierre de sesión. auth-server lo reintenta durante un máximo de media hora.',
  'console.start.nothing': 'Nada por ahora.',
  'console.start.people-added': 'Altas: {now} en 7 días, {before} en los 7 días anteriores',
  'console.start.self-registered': '{count, plural, one {# aplicación autorregistrada sin aprobar} many {{count, number}{more} de aplicaciones autorregistradas sin aprobar} other {{count, number}{more} aplicaciones autorregistradas sin aprobar}}.',
  'console.start.sign-ins': 'Inicios de sesión en 24 horas',
  'console.start.the-day-before': '{count} el día anterior',
  'console.start.trend': '{trend, select, up {sube desde {before}} down {baja desde {before}} other {{before}}}'
}
