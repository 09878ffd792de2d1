/** Whether an insert succeeded; `false` on a unique violation. @throws every other error */
export async function isNew (insert: Promise<unknown>): Promise<boolean> {
  return await succeeds(insert, 'P2002')
}

/** Whether an update succeeded; `false` if the row does not exist. @throws every other error */
export async function isThere (update: Promise<unknown>): Promise<boolean> {
  return await succeeds(update, 'P2025')
}

/** @param expected the code of the one expected error (https://www.prisma.io/docs/orm/reference/error-reference) */
async function succeeds (change: Promise<unknown>, expected: string): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === expected) return false
    throw error
  }
}
