import type { device as english } from '../en/device.js'

/** Sentences of the pages that connect a device. */
export const device: Record<keyof typeof english, string> = {
  'device.code': 'Code',
  'device.caution': 'Si quelqu’un vous a envoyé un code ou un lien vers cette page, fermez-la : cette personne essaie peut-être d’accéder à votre compte.',
  'device.done-allowed': 'L’appareil est connecté. Revenez à votre appareil ; vous pouvez fermer cette page.',
  'device.done-allowed-title': 'Accès autorisé',
  'device.done-denied': 'L’appareil n’a pas accès. Vous pouvez fermer cette page.',
  'device.done-denied-title': 'Accès refusé',
  'device.done-remove': 'Pour retirer cet accès plus tard, rendez-vous sur <link>votre compte</link>.',
  'device.enter': 'Saisissez le code affiché par votre appareil.',
  'device.title': 'Connecter un appareil'
}
