import { common } from './common.js'
import { failures } from './failures.js'
import { permissions } from './permissions.js'
import { signIn } from './sign-in.js'

/** The sentences in French. */
export const fr = { ...common, ...failures, ...permissions, ...signIn }
