import type { signOut as english } from '../en/sign-out.js'

/** Sentences of the pages that sign out. */
export const signOut: Record<keyof typeof english, string> = {
  'sign-out.again': 'Iniciar sesión de nuevo',
  'sign-out.apps-keep': 'Es posible que siga con la sesión iniciada en algunas aplicaciones hasta que caduque su acceso. Puede cerrar esta página.',
  'sign-out.apps-lose': 'Todas las aplicaciones perderán el acceso en diez segundos. Puede cerrar esta página.',
  'sign-out.asked': '<strong>{app}</strong> le pide que cierre la sesión.',
  'sign-out.done': 'Ha cerrado la sesión',
  'sign-out.done-everywhere': 'Se han cerrado todas sus sesiones',
  'sign-out.stay': 'Mantener la sesión iniciada',
  'sign-out.title': 'Cerrar sesión',
  'sign-out.who': 'Ha iniciado sesión como <strong>{username}</strong>. Es posible que siga con la sesión iniciada en algunas aplicaciones hasta que caduque su acceso.'
}
