import { UndoReport } from '../../customer/undo/report.js'
import { OperationsPage } from '../../customer/operations-page.js'
import { callService, jsonOf } from './call-json.js'
import { readFirst } from './read-first.js'

/** Reads the newest operations. @throws CommandError */
export async function listOperations (url: string, limit: number) {
  return await readFirst(url, '/operations', OperationsPage, { limit })
}

/** Undoes an operation. @throws CommandError */
export async function undoOperation (url: string, operation: string, dryRun: boolean): Promise<UndoReport> {
  return await undo(url, `/operations/${encodeURIComponent(operation)}/undo`, { dry_run: `${dryRun}` })
}

interface AppUndo { readonly since: string, readonly clientId: string | undefined, readonly dryRun: boolean }

/** Undoes what an app did since a time. @throws CommandError */
export async function undoApp (url: string, { since, clientId, dryRun }: AppUndo): Promise<UndoReport> {
  return await undo(url, '/undo', { since, ...clientId === undefined ? {} : { client_id: clientId }, dry_run: `${dryRun}` })
}

async function undo (url: string, path: string, query: Record<string, string>): Promise<UndoReport> {
  return await callService(url, `${path}?${new URLSearchParams(query)}`, { method: 'POST' }, jsonOf(UndoReport))
}
