import { common } from './common.js'
import { failures } from './failures.js'
import { permissions } from './permissions.js'
import { signIn } from './sign-in.js'

/** The sentences in German. */
export const de = { ...common, ...failures, ...permissions, ...signIn }
