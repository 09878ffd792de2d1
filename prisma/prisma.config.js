// `prisma generate` only asks that the schema engine exists, and the engine is a download from outside the
// package registry. This file exists and does not run: enough for `generate`, an error for `migrate`.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= import.meta.filename

export default {}
