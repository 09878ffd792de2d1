/** Says whether an insert succeeded; `false` if what it adds is there already. @throws every other error */
export async function isNew (insert: Promise<unknown>): Promise<boolean> {
  return await succeeds(insert, 'P2002')
}

/** Says whether an update succeeded; `false` if what it changes is not there. @throws every other error */
export async function isThere (update: Promise<unknown>): Promise<boolean> {
  return await succeeds(update, 'P2025')
}

/** @param refusal the code of the one error that is an answer (https://www.prisma.io/docs/orm/reference/error-reference) */
async function succeeds (change: Promise<unknown>, refusal: string): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === refusal) return false
    throw error
  }
}
