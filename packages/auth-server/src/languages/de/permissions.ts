import type { permissions as english } from '../en/permissions.js'

/** What a scope or a claim allows an app to do. */
export const permissions: Record<keyof typeof english, string> = {
  'permission.openid': 'Wissen, wer Sie sind',
  'permission.profile': 'Ihren Namen, Benutzernamen, Ihre Sprache und Ihr Bild sehen',
  'permission.email': 'Ihre E-Mail-Adresse sehen',
  'permission.roles': 'Ihre Rollen sehen',
  'permission.offline_access': 'Zugriff behalten, während Sie abgemeldet sind',
  'permission.customer:read': 'Kunden einsehen',
  'permission.customer:write': 'Kunden hinzufügen und bearbeiten',
  'permission.customer:delete': 'Kunden entfernen',
  'permission.customer:undo': 'Änderungen anderer Apps rückgängig machen',
  'permission.admin:read': 'Benutzer, Apps, Schlüssel und das Audit-Protokoll dieses Servers sehen',
  'permission.admin:write': 'Benutzer, Apps und Schlüssel dieses Servers verwalten',
  'permission.directory:read': 'Die Namen anderer Benutzer sehen',
  'permission.claim.name': 'Ihren Namen sehen',
  'permission.claim.given_name': 'Ihren Vornamen sehen',
  'permission.claim.family_name': 'Ihren Nachnamen sehen',
  'permission.claim.email': 'Ihre E-Mail-Adresse sehen',
  'permission.claim.email_verified': 'Sehen, ob Ihre E-Mail-Adresse bestätigt ist',
  'permission.claim.locale': 'Ihre Sprache sehen',
  'permission.claim.picture': 'Ihr Bild sehen',
  'permission.claim.preferred_username': 'Ihren Benutzernamen sehen',
  'permission.claim.updated_at': 'Sehen, wann Ihre Angaben zuletzt geändert wurden'
}
