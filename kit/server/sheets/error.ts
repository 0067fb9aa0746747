/**
 * Why a sheet could not be read or written. `data` says more:
 * - `not_a_spreadsheet`: another kind of file, whatever its name; `format` is what it seems to be.
 * - `sheet_broken`: damaged, or not as the format demands; `reason` for developers.
 * - `sheet_too_large`: `what` (`bytes`, `unzipped`, `entries`, `rows`, `columns`, `sheets`, `memory`) and `limit`.
 * - `sheet_has_macros`: holds macros of any kind; they are never wanted in data.
 * - `sheet_reaches_out`: fetches from other files or the network when it is opened; `cell` is where.
 * - `sheet_encrypted`: protected by a password.
 * - `sheet_timeout`, `sheet_busy`: reading took too long, too many are waiting.
 */
export type SheetErrorCode =
  | 'not_a_spreadsheet'
  | 'sheet_broken'
  | 'sheet_too_large'
  | 'sheet_has_macros'
  | 'sheet_reaches_out'
  | 'sheet_encrypted'
  | 'sheet_timeout'
  | 'sheet_busy'

export class SheetError extends Error {
  readonly code: SheetErrorCode
  readonly data: Record<string, unknown>
  constructor(code: SheetErrorCode, data: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(code, options)
    this.name = 'SheetError'
    this.code = code
    this.data = data
  }
}
