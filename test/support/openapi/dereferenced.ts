import SwaggerParser from '@apidevtools/swagger-parser'

/** An OpenAPI document with what its references refer to in their place. */
export async function dereferenced<Api extends object> (api: Api): Promise<Api> {
  const copy: unknown = structuredClone(api)
  // as: the package's type of a document, which keeps its members.
  return await SwaggerParser.dereference(copy as Exclude<Parameters<typeof SwaggerParser.dereference>[0], string>) as unknown as Api
}
