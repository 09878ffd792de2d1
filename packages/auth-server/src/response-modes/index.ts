import { formPost } from './form-post.js'
import { fragment } from './fragment.js'
import { query } from './query.js'
import type { ResponseMode } from './response-mode.js'

/** Every response mode. To add one, add a file and a line. */
export const responseModes: readonly ResponseMode[] = [
  query,
  fragment,
  formPost
]
