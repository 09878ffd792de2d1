import type { codes as english } from '../../en/console/codes.js'

/** Sentences of the page with invitation codes, and of accepted terms. */
export const codes: Record<keyof typeof english, string> = {
  'console.codes.about': 'Con un código, las personas crean una cuenta por sí mismas.',
  'console.codes.by-shell': 'Línea de comandos',
  'console.codes.copy': 'Copie ahora el código para <strong>{label}</strong>, o el enlace que lo contiene. No se volverá a mostrar.',
  'console.codes.create': 'Crear código',
  'console.codes.create-title': 'Crear un código',
  'console.codes.created-by': 'Creado por',
  'console.codes.days': 'Validez en días',
  'console.codes.empty': 'No hay códigos de invitación.',
  'console.codes.expires': 'Caduca',
  'console.codes.is-off': 'Este servidor no usa códigos ahora: defina <code>SIGN_UP=code</code>.',
  'console.codes.label': 'Etiqueta',
  'console.codes.label-hint': 'Quién lo recibe, por ejemplo Socios.',
  'console.codes.new': 'Nuevo código de invitación',
  'console.codes.remove': 'Eliminar<unseen> {label}</unseen>',
  'console.codes.removed': 'Código de invitación eliminado.',
  'console.codes.role-hint': 'Lo obtienen todas las personas que usan el código.',
  'console.codes.title': 'Códigos de invitación',
  'console.codes.uses': 'Número de personas',
  'console.codes.uses-left': 'Usos restantes',
  'console.person.terms': 'Condiciones de uso',
  'console.person.terms-accepted': 'Versión {version}, aceptada el {at}'
}
