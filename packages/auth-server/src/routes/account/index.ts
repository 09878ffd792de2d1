import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Stores } from '../../stores/stores.js'
import account from './account.js'
import changePassword from './change-password.js'
import home from './home.js'
import signOut from './sign-out.js'

interface Options { config: Config, stores: Stores, signIn: SignIn, formKeys: FormKeys, basePath: string }

/** The account page, sign-out, and what leads there. */
const accountPages: FastifyPluginAsync<Options> = async function accountPages (
  fastify,
  { config: { accessTokenTtl }, stores, signIn, formKeys, basePath }
) {
  await fastify.register(signOut, { formKeys, prefix: basePath })
  await fastify.register(account, { stores, signIn, formKeys, accessTokenTtl, prefix: basePath })
  await fastify.register(home, { prefix: basePath })
  // At the origin, whatever the path of the issuer.
  await fastify.register(changePassword, { basePath })
}
export default accountPages
