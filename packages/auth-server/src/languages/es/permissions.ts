import type { permissions as english } from '../en/permissions.js'

/** What a scope or a claim allows an app to do. */
export const permissions: Record<keyof typeof english, string> = {
  'permission.openid': 'Saber quién es usted',
  'permission.profile': 'Ver su nombre, usuario, idioma y foto',
  'permission.email': 'Ver su dirección de correo electrónico',
  'permission.roles': 'Ver sus roles',
  'permission.offline_access': 'Conservar el acceso cuando usted no tenga la sesión iniciada',
  'permission.customer:read': 'Consultar clientes',
  'permission.customer:write': 'Añadir y editar clientes',
  'permission.customer:delete': 'Eliminar clientes',
  'permission.customer:undo': 'Deshacer los cambios de otras aplicaciones',
  'permission.admin:read': 'Ver los usuarios, las aplicaciones, las claves y el registro de auditoría de este servidor',
  'permission.admin:write': 'Gestionar los usuarios, las aplicaciones y las claves de este servidor',
  'permission.directory:read': 'Ver los nombres de otros usuarios',
  'permission.claim.name': 'Ver su nombre',
  'permission.claim.given_name': 'Ver su nombre de pila',
  'permission.claim.family_name': 'Ver sus apellidos',
  'permission.claim.email': 'Ver su dirección de correo electrónico',
  'permission.claim.email_verified': 'Ver si su dirección de correo electrónico está verificada',
  'permission.claim.locale': 'Ver su idioma',
  'permission.claim.picture': 'Ver su foto',
  'permission.claim.preferred_username': 'Ver su nombre de usuario',
  'permission.claim.updated_at': 'Ver cuándo se modificaron sus datos por última vez'
}
