import { account } from './account.js'
import { attributes } from './attributes.js'
import { common } from './common.js'
import { console } from './console/index.js'
import { device } from './device.js'
import { errorAdvice } from './error-advice.js'
import { errorPages } from './error-pages.js'
import { errorTitles } from './errors.js'
import { factors } from './factors.js'
import { failures } from './failures.js'
import { forgotPassword } from './forgot-password.js'
import { leave } from './leave.js'
import { mail } from './mail.js'
import { notMe } from './not-me.js'
import { permissions } from './permissions.js'
import { reasons } from './reasons/index.js'
import { setPassword } from './set-password.js'
import { setUpFactor } from './set-up-factor.js'
import { signIn } from './sign-in.js'
import { signOut } from './sign-out.js'
import { signUp } from './sign-up.js'
import { upstream } from './upstream.js'

/** The sentences in German. */
export const de = {
  ...account,
  ...attributes,
  ...common,
  ...console,
  ...device,
  ...errorAdvice,
  ...errorPages,
  ...errorTitles,
  ...factors,
  ...failures,
  ...forgotPassword,
  ...leave,
  ...mail,
  ...notMe,
  ...permissions,
  ...reasons,
  ...setPassword,
  ...setUpFactor,
  ...signIn,
  ...signOut,
  ...signUp,
  ...upstream
}
