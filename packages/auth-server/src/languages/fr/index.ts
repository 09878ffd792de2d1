import { common } from './common.js'
import { console } from './console/index.js'
import { failures } from './failures.js'
import { permissions } from './permissions.js'
import { signIn } from './sign-in.js'
import { signUp } from './sign-up.js'

/** The sentences in French. */
export const fr = { ...common, ...console, ...failures, ...permissions, ...signIn, ...signUp }
