import type { Test } from 'tap'
import { buildAdmin } from './admin.js'

export const SHOP = { clientId: 'shop', name: 'Shop', callbacks: ['https://shop.example/cb'] }

/** A logo of one pixel. */
export const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A page of a list. */
export interface Page<Item> { readonly items: readonly Item[], readonly next: string | null }

/** The administration API, with an administrator who calls it. */
export async function openAdmin (t: Test, env: Record<string, string> = {}) {
  const built = await buildAdmin(t, env)
  const rootId = await built.add('root', 'administrator')
  return { ...built, rootId, root: await built.as('root') }
}
