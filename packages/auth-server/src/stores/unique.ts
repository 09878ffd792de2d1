/**
 * Whether an insert of Prisma's succeeded; `false` on a unique violation, P2002
 * (https://www.prisma.io/docs/orm/reference/error-reference). @throws every other error
 */
export async function isNew (insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'P2002') return false
    throw error
  }
}
