import type { upstream as english } from '../en/upstream.js'

/** Sentences about the upstream provider. */
export const upstream: Record<keyof typeof english, string> = {
  'upstream.account': 'Ihr Konto bei <strong>{provider}</strong> ist verbunden: Sie können sich damit statt mit Ihrem Passwort anmelden.',
  'upstream.changed-elsewhere': 'Nichts wurde getrennt: Ihr Konto wurde gerade auf einem anderen Gerät geändert.',
  'upstream.connect': '{provider} verbinden',
  'upstream.connected': 'Konto verbunden. Sie können sich jetzt damit anmelden.',
  'upstream.connected-since': 'Verbunden seit',
  'upstream.disconnect': '{provider} trennen',
  'upstream.disconnected': 'Getrennt. Sie sind auf allen anderen Geräten abgemeldet, und Apps haben keinen Zugriff mehr.',
  'upstream.disconnecting': 'Wenn Sie die Verbindung trennen, werden Sie auf allen anderen Geräten abgemeldet, und alle Apps verlieren den Zugriff. Danach melden Sie sich mit Ihrem Passwort an.',
  'upstream.invitation': 'Verbinden Sie Ihr Konto bei <strong>{provider}</strong>, um sich damit statt mit Ihrem Passwort anzumelden.',
  'upstream.last-used': 'Zuletzt verwendet',
  'upstream.manage': '{provider} verwalten',
  'upstream.no-password': 'Noch kein Passwort? <link>Passwort festlegen</link>',
  'upstream.not-used': 'noch nie',
  'upstream.of-user': '{issuer}, verbunden am {since}',
  'upstream.of-user-used': '{issuer}, verbunden am {since}, zuletzt verwendet am {used}',
  'upstream.provider': 'Externer Anbieter',
  'upstream.second-step': 'Die Anmeldung in zwei Schritten fragt weiterhin nach einem Code oder Passkey.',
  'upstream.sign-in': 'Mit {provider} anmelden',
  'upstream.taken-back': 'Ihr Konto beim anderen Anmeldedienst wurde getrennt.',
  'upstream.notice-facts': 'Dienst: {provider}.',
  'notice.upstream-connected': 'Ein anderes Konto wurde verbunden',
  'notice.upstream-connected.says': 'Ein Konto bei einem anderen Anmeldedienst wurde mit Ihrem Konto bei {site} verbunden. Wer sich dort anmeldet, kann sich bei Ihrem Konto anmelden.',
  'notice.upstream-disconnected': 'Ein anderes Konto wurde getrennt',
  'notice.upstream-disconnected.says': 'Ein Konto bei einem anderen Anmeldedienst wurde von Ihrem Konto bei {site} getrennt. Sie können sich damit nicht mehr anmelden.'
}
