import type { Problem } from '#kit/contract/schema.ts'

export type { Problem }

/**
 * A refusal of the server, or a call that did not reach it (`status` 0, code `offline`). `errors` holds every reason with
 * the field it belongs to (`slots.0.quota`, or null), a code and the texts; `textOf` chooses the reader's language.
 */
export class ApiError extends Error {
  readonly status: number
  /** Key of the refusal: the code of the catalogue. */
  readonly code: string
  readonly error: { readonly en: string; readonly ar: string } | null
  readonly errors: readonly Problem[]
  /** What else the answer held, e.g. `redirect_to`. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const code = typeof body.message === 'string' ? body.message : 'unexpected'
    super(code)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.body = body
    const error = body.error as { en?: unknown; ar?: unknown } | undefined
    this.error =
      typeof error?.en === 'string' ? { en: error.en, ar: typeof error.ar === 'string' ? error.ar : error.en } : null
    this.errors = Array.isArray(body.errors) ? (body.errors as Problem[]) : []
  }
}

/** Whether somebody gave up waiting: a screen was left or a search typed on. Nothing to tell anyone. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Whether the server could not be reached at all. */
export const isOffline = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 0
