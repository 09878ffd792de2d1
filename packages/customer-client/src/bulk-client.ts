import { createEndCheck, jsonWith } from './body.js'
import type { AppSince, BulkChange, FileOptions, FileType, ImportOptions, ImportType, UndoOptions, WriteOptions } from './calls.js'
import { makeKey, withQuery } from './encode.js'
import { ifMatchHeader } from './etag.js'
import type { ImportPreview, ImportReport } from './import-messages.js'
import type {
  BulkReport, DuplicatesPage, DuplicatesQuery, Merge, Merged, OperationsPage, OperationsQuery, UndoReport
} from './operation-messages.js'
import { createSend, type CallOptions, type ClientOptions, type Send } from './send.js'

/** Default timeout of an import: as long as the service keeps its Idempotency-Key. */
const IMPORT_MS = 86_400_000

/** Requests about many customers. */
export class BulkClient {
  protected readonly send: Send

  constructor (options: ClientOptions) {
    this.send = createSend(options)
  }

  /** Exports all customers as a file. An interrupted stream ends with an error. */
  async export (type: FileType, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return await this.send({ method: 'GET', path: '/export?end=true', headers: { Accept: type } }, options, ({ body }) =>
      // !: a response with a type has a body. as: the signal can be undefined. The options let it end the stream.
      body!.pipeThrough(createEndCheck(), options as StreamPipeOptions))
  }

  /**
   * Imports a file, and reports errors by line. A retry continues where the import stopped. A stream is not
   * retried: call this again with a new one and the same `idempotencyKey`.
   */
  async import (
    file: Blob | string | ReadableStream<Uint8Array>,
    type: ImportType,
    { dryRun, mode, match, allOrNothing, map, sheet, idempotencyKey = makeKey(), timeoutMs = IMPORT_MS, ...options }: ImportOptions = {}
  ): Promise<ImportReport> {
    const headers = { 'Content-Type': type, ...(dryRun === true ? {} : { 'Idempotency-Key': idempotencyKey }) }
    const path = withQuery('/import', { dry_run: dryRun, mode, match, all_or_nothing: allOrNothing, map, sheet })
    const request = { method: 'POST', path, headers, body: file, isSafe: dryRun } as const
    return await this.send(request, { ...options, timeoutMs }, jsonWith<ImportReport>('lines'))
  }

  /** Reads the beginning of a table as `import` would. */
  async previewImport (file: Blob | string, type: ImportType, { map, sheet, ...options }: FileOptions = {}): Promise<ImportPreview> {
    const headers = { 'Content-Type': type }
    const request = { method: 'POST', path: withQuery('/import/preview', { map, sheet }), headers, body: file, isSafe: true } as const
    return await this.send(request, options, jsonWith<ImportPreview>('headings'))
  }

  /** Reads one page of the operations, newest first. */
  async operations (query: OperationsQuery = {}, options: CallOptions = {}): Promise<OperationsPage> {
    return await this.send({ method: 'GET', path: withQuery('/operations', query) }, options, jsonWith<OperationsPage>('items'))
  }

  /** Changes or removes many customers. */
  async bulk (change: BulkChange, options: CallOptions = {}): Promise<BulkReport> {
    return await this.send(postJson('/bulk', change), options, jsonWith<BulkReport>('failed'))
  }

  /** Undoes an operation, or what an app did. Call this again to continue. */
  async undo (what: string | AppSince, { dryRun, timeoutMs = IMPORT_MS, ...options }: UndoOptions = {}): Promise<UndoReport> {
    const isApp = typeof what !== 'string'
    const path = withQuery(isApp ? '/undo' : `/operations/${what}/undo`, { ...isApp && what, dry_run: dryRun })
    return await this.send({ method: 'POST', path, isSafe: true }, { ...options, timeoutMs }, jsonWith<UndoReport>('reverted'))
  }

  /** Reads one page of possible duplicates. */
  async duplicates (query: DuplicatesQuery = {}, options: CallOptions = {}): Promise<DuplicatesPage> {
    return await this.send({ method: 'GET', path: withQuery('/duplicates', query) }, options, jsonWith<DuplicatesPage>('items'))
  }

  /** Merges another customer into one. */
  async merge (customerid: number, merge: Merge, { ifMatch, ...options }: WriteOptions = {}): Promise<Merged> {
    return await this.send(postJson(`/${customerid}/merge`, merge, ifMatchHeader(ifMatch)), options, jsonWith<Merged>('etag'))
  }

  /** Marks customers as different people. */
  async dismissDuplicate (customerid: number, other: number, options: CallOptions = {}): Promise<void> {
    const request = postJson('/duplicates/dismiss', { customers: [customerid, other] })
    await this.send({ ...request, isSafe: true, statuses: [204] }, options, () => undefined)
  }
}

function postJson (path: string, body: object, headers = {}) {
  return { method: 'POST', path, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) } as const
}
