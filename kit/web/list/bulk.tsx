import type { ReactNode } from 'react'
import { ApiError } from '../api/index.ts'
import type { Problem } from '../api/index.ts'
import type { Concerned } from '../feedback/weight.tsx'
import { errorText } from '../i18n/index.ts'
import type { AnyRow } from './columns.ts'

/** What happened to one row of a bulk action. */
export interface RowResult {
  readonly id: number
  readonly name?: string
  readonly errors: readonly Problem[] | null
  readonly text?: string
}
/** Answer of bulk calls: `bulkResult` of the contract. */
export interface BulkAnswer {
  readonly done: readonly number[]
  readonly failed: readonly { readonly id: number; readonly name?: string; readonly errors: readonly Problem[] }[]
}
/** What is known before an action on many. */
export interface Foreseen {
  /** The rows it happens to, as far as the list has shown them. */
  readonly rows: readonly AnyRow[]
  /** How many of those chosen it does not happen to, and why. */
  readonly note: ReactNode
}
/** Something that can be done with the selected rows. */
export interface BulkAction {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  readonly tone?: 'refused'
  /** Whether a row can take it: absent from the bar while none of the selected rows can. */
  readonly applies?: (row: AnyRow) => boolean
  /** Why a row cannot take it, where something is known about that. */
  readonly whyNot?: (row: AnyRow) => string | null
  /** Asked first: what will happen, to how many. Asked in any case where it can neither be taken back nor asks itself. */
  readonly confirm?: (
    count: number,
    rows: readonly AnyRow[],
  ) => { readonly title: string; readonly consequence?: ReactNode; readonly action: string } | null
  /** One call for all. Who asks himself says whom it concerns. */
  readonly run?: (
    ids: readonly number[],
    whom: Concerned,
    known: Foreseen,
    /** How many are done, where that is known before the end. */
    progress: (done: number) => void,
  ) => Promise<BulkAnswer>
  /** One call per row, a few at a time. An answer whose `failed` is not empty refuses the row, for all those reasons. */
  readonly each?: (id: number) => Promise<unknown>
  /** Hurts or cannot be taken back: the number of many is typed. What refuses, and what has no question of its own, unless told. */
  readonly heavy?: boolean
  /** It asks itself (for a reason, an advisor), and says there how many it concerns. */
  readonly asks?: boolean
  /** Takes the whole action back; offered when every row went well. */
  readonly undo?: (ids: readonly number[]) => Promise<unknown>
}

const AT_ONCE = 4
/** Does the action for every row and reports a result per row; one refusal stops nothing else. */
export async function runBulk(
  action: BulkAction,
  ids: readonly number[],
  progress: (done: number) => void,
  whom: Concerned = { count: ids.length, names: [] },
  known: Foreseen = { rows: [], note: null },
): Promise<RowResult[]> {
  if (action.run) {
    const answer = await action.run(ids, whom, known, progress)
    return [
      ...answer.failed.map((f) => ({ id: f.id, name: f.name, errors: f.errors })),
      ...answer.done.map((id) => ({ id, errors: null })),
    ]
  }
  const results: RowResult[] = []
  const queue = [...ids]
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      try {
        const { failed = [] } = ((await action.each?.(id)) ?? {}) as Partial<BulkAnswer>
        results.push({ id, errors: failed.length ? failed.flatMap((one) => one.errors) : null })
      } catch (error) {
        results.push({ id, errors: error instanceof ApiError ? error.errors : [], text: errorText(error) })
      }
      progress(results.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, worker))
  return results
}
