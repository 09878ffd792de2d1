import type { device as english } from '../en/device.js'

/** Sentences of the pages that connect a device. */
export const device: Record<keyof typeof english, string> = {
  'device.code': 'Code',
  'device.caution': 'Wenn Ihnen jemand einen Code oder einen Link zu dieser Seite geschickt hat, schließen Sie sie: Diese Person versucht möglicherweise, auf Ihr Konto zuzugreifen.',
  'device.done-allowed': 'Das Gerät ist verbunden. Kehren Sie zu Ihrem Gerät zurück; Sie können diese Seite schließen.',
  'device.done-allowed-title': 'Zugriff zugelassen',
  'device.done-denied': 'Das Gerät hat keinen Zugriff. Sie können diese Seite schließen.',
  'device.done-denied-title': 'Zugriff abgelehnt',
  'device.done-remove': 'Unter <link>Ihr Konto</link> können Sie den Zugriff später wieder entziehen.',
  'device.enter': 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
  'device.title': 'Gerät verbinden'
}
