import type { setUpFactor as english } from '../en/set-up-factor.js'

/** Sentences of the page of a link that sets up two-step sign-in. */
export const setUpFactor: Record<keyof typeof english, string> = {
  'set-up-factor.explain': 'Para el nombre de usuario <strong>{username}</strong>. Su administrador creó este enlace para usted. A partir de ahora, para iniciar sesión también necesitará un código de una aplicación de su teléfono.',
  'set-up-factor.explain-passkey': 'Para el nombre de usuario <strong>{username}</strong>. Su administrador creó este enlace para usted. A partir de ahora, para iniciar sesión también necesitará una llave de acceso.',
  'set-up-factor.note': 'El enlace funciona una sola vez, y solo con su contraseña. Si no lo esperaba, avise a su administrador.',
  'set-up-factor.title': 'Configurar el inicio de sesión en dos pasos'
}
